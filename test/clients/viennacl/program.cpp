// Computes with ViennaCL's OpenCL back end, and again with loops on the host, and prints the largest relative
// difference of each operation: vectors, dense and sparse products, a triangular solve, conjugate gradients, an FFT.
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/fft.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using Row = std::vector<float>;
using Rows = std::vector<Row>;

static float next()
{
    return static_cast<float>(std::rand() % 2001 - 1000) / 1000;
}

static Row random_row(size_t n)
{
    Row row(n);
    std::generate(row.begin(), row.end(), next);
    return row;
}

static viennacl::vector<float> on_device(const Row &row)
{
    viennacl::vector<float> result(row.size());
    viennacl::copy(row, result);
    return result;
}

static Row on_host(const viennacl::vector<float> &vector)
{
    Row row(vector.size());
    viennacl::copy(vector, row);
    return row;
}

// Prints the largest difference relative to the largest expected value.
static void report(const char *name, const Row &actual, const Row &expected)
{
    double worst = 0, largest = 1e-30;
    for (size_t i = 0; i < expected.size(); i++) {
        worst = std::max(worst, std::fabs(static_cast<double>(actual[i]) - expected[i]));
        largest = std::max(largest, std::fabs(static_cast<double>(expected[i])));
    }
    std::printf("%s %.3g\n", name, std::isnan(worst) ? INFINITY : worst / largest);
}

static Row product(const Rows &a, const Row &x)
{
    Row y(a.size());
    for (size_t i = 0; i < a.size(); i++) {
        double sum = 0;
        for (size_t j = 0; j < x.size(); j++) {
            sum += static_cast<double>(a[i][j]) * x[j];
        }
        y[i] = static_cast<float>(sum);
    }
    return y;
}

static void vectors(size_t n)
{
    Row a = random_row(n), b = random_row(n), expected(n);
    viennacl::vector<float> x = on_device(a), y = on_device(b), z = 2.5f * x - y;
    double dot = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        expected[i] = 2.5f * a[i] - b[i];
        dot += static_cast<double>(a[i]) * b[i];
        norm += static_cast<double>(a[i]) * a[i];
    }
    report("axpy", on_host(z), expected);
    float inner = viennacl::linalg::inner_prod(x, y), length = viennacl::linalg::norm_2(x);
    report("inner_prod", {inner, 1}, {static_cast<float>(dot), 1});
    report("norm_2", {length}, {static_cast<float>(std::sqrt(norm))});
}

static void dense(size_t n)
{
    Rows a(n);
    std::generate(a.begin(), a.end(), [n] { return random_row(n); });
    for (size_t i = 0; i < n; i++) {
        a[i][i] += static_cast<float>(n);
    }
    Row x = random_row(n);
    viennacl::matrix<float> m(n, n);
    viennacl::copy(a, m);
    viennacl::vector<float> v = on_device(x);
    report("gemv", on_host(viennacl::linalg::prod(m, v)), product(a, x));

    viennacl::matrix<float> square = viennacl::linalg::prod(m, m);
    Rows cells(n, Row(n));
    viennacl::copy(square, cells);
    Row column(n), expected;
    for (size_t i = 0; i < n; i++) {
        column[i] = a[i][3];
    }
    expected = product(a, column);
    for (size_t i = 0; i < n; i++) {
        column[i] = cells[i][3];
    }
    report("gemm", column, expected);

    Rows upper = a;
    for (size_t i = 0; i < n; i++) {
        std::fill_n(upper[i].begin(), i, 0.0f);
    }
    viennacl::vector<float> right = on_device(product(upper, x));
    report("solve", on_host(viennacl::linalg::solve(m, right, viennacl::linalg::upper_tag())), x);
}

// The matrix of a one-dimensional Poisson equation with a stronger diagonal.
static void sparse(size_t n)
{
    std::vector<std::map<unsigned, float>> a(n);
    Rows full(n, Row(n));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i == 0 ? 0 : i - 1; j < std::min(i + 2, n); j++) {
            full[i][j] = a[i][static_cast<unsigned>(j)] = i == j ? 4.0f : -1.0f;
        }
    }
    viennacl::compressed_matrix<float> m(n, n);
    viennacl::copy(a, m);
    Row x = random_row(n);
    viennacl::vector<float> v = on_device(x), y = viennacl::linalg::prod(m, v);
    report("spmv", on_host(y), product(full, x));
    viennacl::vector<float> found = viennacl::linalg::solve(m, y, viennacl::linalg::cg_tag(1e-6, 60));
    report("cg", on_host(found), x);
}

static void fft(size_t n)
{
    Row a = random_row(2 * n), expected(2 * n);
    viennacl::vector<float> x = on_device(a);
    viennacl::inplace_fft(x);
    for (size_t k = 0; k < n; k++) {
        std::complex<double> sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += std::complex<double>(a[2 * i], a[2 * i + 1]) *
                   std::polar(1.0, -2 * M_PI * static_cast<double>(i * k) / static_cast<double>(n));
        }
        expected[2 * k] = static_cast<float>(sum.real());
        expected[2 * k + 1] = static_cast<float>(sum.imag());
    }
    report("fft", on_host(x), expected);
}

int main()
{
    std::srand(1);
    vectors(300);
    dense(48);
    sparse(100);
    fft(64);
    return 0;
}
