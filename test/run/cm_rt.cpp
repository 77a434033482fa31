// A host program as Intel's tutorial writes them, on cm_rt.h: an image, buffers, memory of the caller's, addresses,
// events, and calls that fail.
#include <cstdio>
#include "cm_rt.h"
#include "cm_loadprogram.h"
#include "common/bitmap_helpers.h"
#include "common/cm_rt_helpers.h"
#include "common/isa_helpers.h"

static int failures;

static void expect(bool good, const char *what)
{
    if (!good) {
        std::printf("FAIL %s\n", what);
        failures++;
    }
}

static void run(CmQueue *queue, CmDevice *device, CmKernel *kernel, CmThreadSpace *space, CmEvent *&event)
{
    CmTask *task = nullptr;
    cm_result_check(device->CreateTask(task));
    cm_result_check(task->AddKernel(kernel));
    cm_result_check(queue->Enqueue(task, event, space));
    cm_result_check(device->DestroyTask(task));
}

static void image(CmDevice *device, CmProgram *program, CmQueue *queue)
{
    const UINT width = 32, height = 8;
    std::vector<unsigned char> from(width * height), to(width * height);
    for (size_t i = 0; i < from.size(); i++)
        from[i] = (unsigned char)(i % 100);
    CmSurface2D *in = nullptr, *out = nullptr;
    SurfaceIndex *in_index = nullptr, *out_index = nullptr;
    cm_result_check(device->CreateSurface2D(width / 4, height, CM_SURFACE_FORMAT_A8R8G8B8, in));
    cm_result_check(device->CreateSurface2D(width / 4, height, CM_SURFACE_FORMAT_A8R8G8B8, out));
    cm_result_check(in->WriteSurface(from.data(), nullptr));
    cm_result_check(in->GetIndex(in_index));
    cm_result_check(out->GetIndex(out_index));
    CmKernel *kernel = nullptr;
    cm_result_check(device->CreateKernel(program, CM_KERNEL_FUNCTION(linear), kernel));
    float scale = 2;
    cm_result_check(kernel->SetKernelArg(0, sizeof(SurfaceIndex), in_index));
    cm_result_check(kernel->SetKernelArg(1, sizeof(SurfaceIndex), out_index));
    cm_result_check(kernel->SetKernelArg(2, sizeof scale, &scale));
    CmThreadSpace *space = nullptr;
    cm_result_check(device->CreateThreadSpace(width / 16, height / 4, space));
    CmEvent *event = nullptr;
    run(queue, device, kernel, space, event);
    UINT64 time = 0;
    CM_STATUS status;
    cm_result_check(event->WaitForTaskFinished());
    cm_result_check(event->GetStatus(status));
    cm_result_check(event->GetExecutionTime(time));
    expect(status == CM_STATUS_FINISHED && time > 0, "an event's end and time");
    cm_result_check(out->ReadSurface(to.data(), event));
    bool same = true;
    for (size_t i = 0; i < to.size(); i++)
        same = same && to[i] == 2 * from[i];
    expect(same, "an image");
    expect(in->WriteSurfaceStride(from.data(), nullptr, width - 1) == CM_INVALID_WIDTH, "a stride below a row");
    std::vector<unsigned char> wide(40 * height);
    cm_result_check(out->ReadSurfaceStride(wide.data(), nullptr, 40));
    expect(wide[40 * 3 + 5] == 2 * from[width * 3 + 5], "a stride");
    cm_result_check(queue->DestroyEvent(event));
    cm_result_check(device->DestroySurface(in));
    cm_result_check(device->DestroyKernel(kernel));
}

static void buffers(CmDevice *device, CmProgram *program, CmQueue *queue)
{
    enum { COUNT = 128 };
    int numbers[COUNT], *mine = (int *)CM_ALIGNED_MALLOC(sizeof numbers, 4096), result[COUNT], n = 3;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i, mine[i] = 1000 * i;
    CmBuffer *a = nullptr;
    CmBufferUP *b = nullptr;
    SurfaceIndex *a_index = nullptr, *b_index = nullptr;
    cm_result_check(device->CreateBuffer(sizeof numbers, a));
    cm_result_check(device->CreateBufferUP(sizeof numbers, mine, b));
    cm_result_check(a->WriteSurface((unsigned char *)numbers, nullptr));
    cm_result_check(a->GetIndex(a_index));
    cm_result_check(b->GetIndex(b_index));
    CmKernel *kernel = nullptr;
    cm_result_check(device->CreateKernel(program, "add", kernel));
    cm_result_check(kernel->SetKernelArg(0, sizeof(SurfaceIndex), a_index));
    cm_result_check(kernel->SetKernelArg(1, sizeof(SurfaceIndex), b_index));
    cm_result_check(kernel->SetKernelArg(2, sizeof n, &n));
    CmThreadGroupSpace *space = nullptr;
    cm_result_check(device->CreateThreadGroupSpace(4, 1, 2, 1, space));
    CmTask *task = nullptr;
    cm_result_check(device->CreateTask(task));
    cm_result_check(task->AddKernel(kernel));
    cm_result_check(task->AddKernel(kernel)); /* twice */
    CmEvent *event = nullptr;
    cm_result_check(queue->EnqueueWithGroup(task, event, space));
    cm_result_check(event->WaitForTaskFinished());
    bool same = true;
    for (int i = 0; i < COUNT; i++)
        same = same && mine[i] == 1000 * i + 2 * (i + n);
    expect(same, "buffers, and memory of the caller's");
    cm_result_check(a->ReadSurface((unsigned char *)result, event, 8));
    expect(result[1] == 1, "the start of a buffer");
    expect(kernel->SetKernelArg(7, 4, &n) == CM_INVALID_ARG_INDEX, "an argument that is not there");
    expect(kernel->SetKernelArg(2, 8, &n) == CM_INVALID_ARG_SIZE, "an argument of another size");
    SurfaceIndex unknown(4711);
    expect(kernel->SetKernelArg(0, sizeof unknown, &unknown) == CM_INVALID_ARG_VALUE, "a surface that is not there");
    CmKernel *none = nullptr;
    expect(device->CreateKernel(program, "none", none) != CM_SUCCESS && !none, "a kernel that is not there");
    CM_ALIGNED_FREE(mine);
}

static void addresses(CmDevice *device, CmProgram *program, CmQueue *queue)
{
    alignas(4096) static int mine[32];
    for (int i = 0; i < 32; i++)
        mine[i] = i;
    void *from = mine, *to = nullptr;
    CmBufferSVM *one = nullptr, *two = nullptr;
    cm_result_check(device->CreateBufferSVM(sizeof mine, from, CM_SVM_ACCESS_FLAG_DEFAULT, one));
    cm_result_check(device->CreateBufferSVM(sizeof mine, to, CM_SVM_ACCESS_FLAG_DEFAULT, two));
    CmKernel *kernel = nullptr;
    cm_result_check(device->CreateKernel(program, "svm", kernel));
    cm_result_check(kernel->SetKernelArg(0, sizeof(void *), &from));
    cm_result_check(kernel->SetKernelArg(1, sizeof(void *), &to));
    cm_result_check(kernel->SetThreadCount(2));
    CmEvent *event = nullptr;
    run(queue, device, kernel, nullptr, event);
    cm_result_check(event->WaitForTaskFinished());
    bool same = true;
    for (int i = 0; i < 32; i++)
        same = same && ((int *)to)[i] == 2 * i && mine[i] == i;
    expect(same, "addresses");
    cm_result_check(device->DestroyBufferSVM(two));
}

static void sampler(CmDevice *device, CmProgram *program, CmQueue *queue)
{
    const float slices[4] = {0, 10, 20, 40};
    /* With a linear filter slice k is in the middle of [k / 4, (k + 1) / 4]. */
    const float want[8] = {0, 0, 5, 10, 15, 20, 30, 40};
    float texels[16], got[8];
    for (int i = 0; i < 16; i++)
        texels[i] = slices[i / 4];
    CmSurface3D *volume = nullptr;
    CmBuffer *out = nullptr;
    CmSampler *filter = nullptr;
    SurfaceIndex *volume_index = nullptr, *out_index = nullptr;
    SamplerIndex *filter_index = nullptr;
    CM_SAMPLER_STATE state = {CM_TEXTURE_FILTER_TYPE_LINEAR, CM_TEXTURE_FILTER_TYPE_LINEAR, CM_TEXTURE_ADDRESS_CLAMP,
                              CM_TEXTURE_ADDRESS_CLAMP, CM_TEXTURE_ADDRESS_CLAMP};
    cm_result_check(device->CreateSurface3D(2, 2, 4, CM_SURFACE_FORMAT_R32F, volume));
    cm_result_check(device->CreateBuffer(sizeof got, out));
    cm_result_check(device->CreateSampler(state, filter));
    cm_result_check(volume->WriteSurface(reinterpret_cast<const unsigned char *>(texels), nullptr));
    cm_result_check(device->CreateSamplerSurface3D(volume, volume_index));
    cm_result_check(out->GetIndex(out_index));
    cm_result_check(filter->GetIndex(filter_index));
    CmKernel *kernel = nullptr;
    cm_result_check(device->CreateKernel(program, CM_KERNEL_FUNCTION(through), kernel));
    cm_result_check(kernel->SetKernelArg(0, sizeof(SurfaceIndex), volume_index));
    cm_result_check(kernel->SetKernelArg(1, sizeof(SamplerIndex), filter_index));
    cm_result_check(kernel->SetKernelArg(2, sizeof(SurfaceIndex), out_index));
    CmThreadSpace *space = nullptr;
    cm_result_check(device->CreateThreadSpace(1, 1, space));
    CmEvent *event = nullptr;
    run(queue, device, kernel, space, event);
    cm_result_check(out->ReadSurface(reinterpret_cast<unsigned char *>(got), event));
    for (int i = 0; i < 8; i++)
        expect(got[i] == want[i], "a sampled volume");
    float back[16];
    cm_result_check(volume->ReadSurface(reinterpret_cast<unsigned char *>(back), nullptr));
    expect(std::equal(back, back + 16, texels), "a volume read back");
    expect(volume->ReadSurface(reinterpret_cast<unsigned char *>(back), nullptr, 8) == CM_INVALID_ARG_SIZE,
           "a volume into too little memory");
    expect(kernel->SetKernelArg(1, 1, filter_index) == CM_INVALID_ARG_SIZE, "a sampler of one byte");
    state.addressW = CM_TEXTURE_ADDRESS_WRAP;
    CmSampler *mixed = nullptr;
    expect(device->CreateSampler(state, mixed) == CM_NOT_IMPLEMENTED && !mixed, "a sampler of two address modes");
    CmSurface3D *flat = nullptr;
    expect(device->CreateSurface3D(2, 2, 0, CM_SURFACE_FORMAT_R32F, flat) == CM_INVALID_DEPTH, "a volume of no slices");
    cm_result_check(device->DestroySamplerSurface(volume_index));
    cm_result_check(device->DestroySampler(filter));
    cm_result_check(device->DestroySurface(volume));
    expect(!volume && !filter && !volume_index, "what was destroyed");
}

/* 3 x 2 pixels of 24 bits: rows of 9 bytes, which are 12 in the file. */
static void pictures()
{
    using cm::util::bitmap::BitMap;
    unsigned char file[54 + 24] = {'B', 'M'}, other[18];
    file[10] = 54, file[14] = 40, file[18] = 3, file[22] = 2, file[26] = 1, file[28] = 24;
    for (int i = 0; i < 24; i++)
        file[54 + i] = (unsigned char)(i % 12 < 9 ? 10 * (i / 12) + i % 12 : 0);
    std::ofstream("in.bmp", std::ios::binary).write(reinterpret_cast<char *>(file), sizeof file);
    auto picture = BitMap::load("in.bmp");
    expect(picture.getWidth() == 3 && picture.getHeight() == 2 && picture.getBPP() == 24, "a picture's size");
    expect(picture.getData()[8] == 8 && picture.getData()[9] == 10, "rows without gaps");
    expect(picture.save("same.bmp"), "a file");
    std::ifstream back("same.bmp", std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(back)), std::istreambuf_iterator<char>());
    expect(bytes == std::string(reinterpret_cast<char *>(file), sizeof file), "the same file");
    std::copy(picture.getData(), picture.getData() + 18, other);
    other[17] += 3;
    picture.setData(other);
    expect(picture.getData()[17] == 21 && picture.save("other.bmp"), "another picture");
    expect(BitMap::checkResult("other.bmp", "in.bmp", 3), "within the tolerance");
    expect(!BitMap::checkResult("other.bmp", "in.bmp", 2), "beyond the tolerance");
    expect(!picture.save("nowhere/other.bmp"), "a file in no folder");
}

static void numbers(CmDevice *device)
{
    size_t size = 4, small = 2;
    UINT threads = 0, together = 0;
    cm_result_check(device->GetCaps(CAP_HW_THREAD_COUNT, size, &threads));
    cm_result_check(device->GetCaps(CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP, size, &together));
    expect(together > 0 && threads >= together && threads % together == 0, "threads of the GPU and of a group");
    expect(device->GetCaps(CAP_HW_THREAD_COUNT, small, &threads) == CM_FAILURE, "a number in two bytes");
    expect(device->GetCaps(CAP_MAX_FREQUENCY, size, &threads) == CM_NOT_IMPLEMENTED, "a number that is not there");
}

int main(int count, char **words)
{
    if (count == 3) /* --picture FILE */
        cm::util::bitmap::BitMap::load(words[2]);
    CmDevice *device = nullptr;
    unsigned version = 0;
    cm_result_check(::CreateCmDevice(device, version));
    std::string code = cm::util::isa::loadFile(words[1]);
    CmProgram *program = nullptr, *wrong = nullptr;
    cm_result_check(CmDevLoadProgram(device, const_cast<char *>(code.data()), code.size(), program));
    expect(device->LoadProgram(const_cast<char *>("nothing"), 7, wrong) == CM_INVALID_COMMON_ISA && !wrong,
           "no program");
    CmQueue *queue = nullptr;
    cm_result_check(device->CreateQueue(queue));
    pictures();
    numbers(device);
    image(device, program, queue);
    buffers(device, program, queue);
    addresses(device, program, queue);
    sampler(device, program, queue);
    cm_result_check(::DestroyCmDevice(device));
    std::puts(failures ? "FAILED" : "passed");
    return failures != 0;
}
