// Reads, writes and compares pictures in files of Windows' format (.bmp), as the host programs of Intel's tutorial do.
// A picture has 24 or 32 bits a pixel, or 8 with a palette, and no compression. Its pixels are in the file's order:
// blue, green, red, the lowest row first. Rows have no gaps here. A file that cannot be read ends the program.
#ifndef CMKIT_BITMAP_HELPERS_H
#define CMKIT_BITMAP_HELPERS_H

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace cm
{
namespace util
{
namespace bitmap
{

class BitMap
{
  public:
    static BitMap load(const std::string &path)
    {
        BitMap made;
        std::ifstream file(path, std::ios::binary);
        std::vector<unsigned char> all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        if (!file.is_open() || !made.parse(all)) {
            std::cerr << path << ": error: no picture in Windows' format with 8, 24 or 32 bits a pixel\n";
            std::exit(1);
        }
        return made;
    }

    /* False, and a line, if the file cannot be written. */
    bool save(const std::string &path) const
    {
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char *>(head.data()), (std::streamsize)head.size());
        const std::vector<char> gap(pitch() - row());
        for (unsigned y = 0; y < height; y++) {
            file.write(reinterpret_cast<const char *>(getData() + std::size_t(y) * row()), (std::streamsize)row());
            file.write(gap.data(), (std::streamsize)gap.size());
        }
        file.close();
        if (!file)
            std::cerr << path << ": error: " << std::strerror(errno) << "\n";
        return !file.fail();
    }

    /* Are two pictures of the same size, and no two bytes further apart than the tolerance? */
    static bool checkResult(const std::string &path, const std::string &wanted_path, unsigned tolerance)
    {
        BitMap found = load(path), wanted = load(wanted_path);
        if (found.width != wanted.width || found.height != wanted.height || found.bits != wanted.bits) {
            std::cerr << path << " and " << wanted_path << " have different sizes\n";
            return false;
        }
        for (std::size_t i = 0; i < found.bytes(); i++) {
            int difference = found.getData()[i] - wanted.getData()[i];
            if ((unsigned)std::abs(difference) > tolerance) {
                std::cerr << path << ": byte " << i << " is " << +found.getData()[i] << ", not " << +wanted.getData()[i]
                          << "\n";
                return false;
            }
        }
        return true;
    }

    unsigned getWidth() const { return width; }
    unsigned getHeight() const { return height; }
    unsigned getBPP() const { return bits; }
    unsigned char *getData() { return data ? data : pixels.data(); }
    const unsigned char *getData() const { return data ? data : pixels.data(); }
    /* The caller's memory, which lives longer than the picture. */
    void setData(unsigned char *from) { data = from; }

  private:
    std::size_t row() const { return std::size_t(width) * bits / 8; }
    std::size_t pitch() const { return (row() + 3) / 4 * 4; } /* in files */
    std::size_t bytes() const { return row() * height; }

    static unsigned number(const unsigned char *at, int count)
    {
        unsigned value = 0;
        for (int i = 0; i < count; i++)
            value |= (unsigned)at[i] << 8 * i;
        return value;
    }

    bool parse(const std::vector<unsigned char> &all)
    {
        enum { HEADERS = 54, MOST = 65536 };
        if (all.size() < HEADERS || all[0] != 'B' || all[1] != 'M')
            return false;
        std::size_t start = number(&all[10], 4);
        width = number(&all[18], 4);
        height = number(&all[22], 4);
        bits = number(&all[28], 2);
        if (!width || !height || width > MOST || height > MOST || (bits != 8 && bits != 24 && bits != 32) ||
            number(&all[30], 4) || start < HEADERS || start > all.size() || (all.size() - start) / pitch() < height)
            return false;
        head.assign(all.begin(), all.begin() + (std::ptrdiff_t)start);
        pixels.resize(bytes());
        for (unsigned y = 0; y < height; y++)
            std::memcpy(&pixels[std::size_t(y) * row()], &all[start + std::size_t(y) * pitch()], row());
        return true;
    }

    unsigned width = 0, height = 0, bits = 0;
    std::vector<unsigned char> head; /* of the file, up to the pixels */
    std::vector<unsigned char> pixels;
    unsigned char *data = nullptr; /* not null: in place of the pixels */
};

} // namespace bitmap
} // namespace util
} // namespace cm

#endif
