/* Declares the builtins, functions for operations that C++ lacks; tables/builtins.def lists them with their operands.
 * On the GPU they have no body and the middle end lowers them; host.h defines them for the CPU. Template arguments:
 * element type and number of lanes of the value, in that order; a result type comes first. */
#ifndef CMKIT_CM_DETAIL_CORE_BUILTINS_H
#define CMKIT_CM_DETAIL_CORE_BUILTINS_H

namespace cm_detail
{
enum { has_ieee_division = 0, has_linear = 1, has_printf = 2 }; /* __cm_has: tables/builtins.def */
}

#ifdef CMKIT_HOST
#include "../host/host.h"
#else

/* Shuffles by a pattern: lane k is element k / Width * Pitch + k % Width * Step. frontend/codegen/lane_patterns.cpp
 * replaces these calls by constants and instructions; as templates over N indices they would take most of the compile
 * time. */
template <int N, int Pitch, int Width, int Step> cm_detail::offsets<N> __lanes_pattern();
template <typename T, int N, int M, int First, int Pitch, int Width, int Step>
cm_detail::lanes<T, N> __lanes_pick(cm_detail::lanes<T, M> x);
/* A part of an R x C reference's offsets, starting at (i, j). If the offsets are regular, that is, each is the first
 * one plus row * pitch + column * step, the start is a distance that is added to the address, and the lanes are those
 * of a part that starts at (0, 0). Otherwise the distance is 0 and the lanes are read one by one. */
template <int R, int C> int __lanes_distance(cm_detail::offsets<R * C> x, int i, int j);
template <int N, int R, int C, int Pitch, int Width, int Step>
cm_detail::offsets<N> __lanes_part(cm_detail::offsets<R * C> x, int i, int j);

template <typename T, int N> cm_detail::lanes<T, N> __cm_rdref(const void *base, cm_detail::offsets<N> offsets);
template <int N> cm_detail::offsets<N> __cm_distance(cm_detail::offsets<N> offsets);
template <typename T, int N> void __cm_wrref(void *base, cm_detail::offsets<N> offsets, cm_detail::lanes<T, N> value);
template <typename T, int N> void __cm_wrnew(void *base, cm_detail::offsets<N> offsets, cm_detail::lanes<T, N> value);

bool __cm_has(unsigned feature);

template <int N> bool __cm_simdcf_any(cm_detail::lanes<ushort, N> mask);
template <int N> ushort __cm_any(cm_detail::lanes<ushort, N> mask);
template <int N> ushort __cm_all(cm_detail::lanes<ushort, N> mask);
template <int N> cm_detail::lanes<ushort, N> __cm_live(cm_detail::lanes<ushort, N> mask);
template <int N> cm_detail::lanes<ushort, N> __cm_narrowed(cm_detail::lanes<ushort, N> mask);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_merge(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y, cm_detail::lanes<ushort, N> mask);

template <typename T, int N>
cm_detail::lanes<T, N> __cm_media_read(unsigned modifier, SurfaceIndex surface, unsigned plane, unsigned width,
                                       unsigned x, unsigned y);
template <typename T, int N>
void __cm_media_write(unsigned modifier, SurfaceIndex surface, unsigned plane, unsigned width, unsigned x, unsigned y,
                      cm_detail::lanes<T, N> value);

template <typename T, int N> cm_detail::lanes<T, N> __cm_oword_read(SurfaceIndex surface, unsigned offset);
template <typename T, int N> cm_detail::lanes<T, N> __cm_oword_read_unaligned(SurfaceIndex surface, unsigned offset);
template <typename T, int N> void __cm_oword_write(SurfaceIndex surface, unsigned offset, cm_detail::lanes<T, N> value);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_gather(cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                                   cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> off);
template <typename T, int N>
void __cm_scatter(cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                  cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> value);

template <typename T, int N, int M>
cm_detail::lanes<T, M> __cm_gather4(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                                    unsigned base, cm_detail::lanes<uint, N> offsets);
template <typename T, int N, int M>
void __cm_scatter4(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                   cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, M> value);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                                   cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> x,
                                   cm_detail::lanes<T, N> y);

template <typename T, int N, int M>
cm_detail::lanes<T, M> __cm_typed_read(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex image,
                                       cm_detail::lanes<uint, N> x, cm_detail::lanes<uint, N> y,
                                       cm_detail::lanes<uint, N> z);
template <typename T, int N, int M>
void __cm_typed_write(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex image,
                      cm_detail::lanes<uint, N> x, cm_detail::lanes<uint, N> y, cm_detail::lanes<uint, N> z,
                      cm_detail::lanes<T, M> value);
template <int N>
void __cm_typed_prefetch(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex image,
                         cm_detail::lanes<uint, N> x, cm_detail::lanes<uint, N> y, cm_detail::lanes<uint, N> z);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_typed_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask, SurfaceIndex image,
                                         cm_detail::lanes<uint, N> x, cm_detail::lanes<uint, N> y,
                                         cm_detail::lanes<uint, N> z, cm_detail::lanes<uint, N> lod,
                                         cm_detail::lanes<T, N> a, cm_detail::lanes<T, N> b);
template <typename T, int N, int M>
cm_detail::lanes<T, N> __cm_sample(unsigned operation, unsigned channels, unsigned offsets, SamplerIndex sampler,
                                   SurfaceIndex image, cm_detail::lanes<float, M> parameters);
template <typename T, int N, int M>
cm_detail::lanes<T, N> __cm_load_texel(unsigned operation, unsigned channels, unsigned offsets, SurfaceIndex image,
                                       cm_detail::lanes<uint, M> parameters);

template <typename T, int N> cm_detail::lanes<T, N> __cm_r0();
template <typename T, int N> cm_detail::lanes<T, N> __cm_sr0();
unsigned __cm_hwid();
void __cm_pause(unsigned length);
void __cm_slm_block();
unsigned __cm_event(unsigned what, unsigned value);
template <typename T, int N, typename U, int M, int W>
cm_detail::lanes<T, N> __cm_raw_send(unsigned how, unsigned counts, cm_detail::lanes<ushort, W> mask, unsigned extended,
                                     unsigned descriptor, cm_detail::lanes<U, M> payload, cm_detail::lanes<T, N> old);
template <typename U, int M, int W>
void __cm_raw_send_only(unsigned how, unsigned counts, cm_detail::lanes<ushort, W> mask, unsigned extended,
                        unsigned descriptor, cm_detail::lanes<U, M> payload);
template <typename T, int N, typename U, int M, typename V, int K, int W>
cm_detail::lanes<T, N> __cm_raw_sends(unsigned how, unsigned counts, cm_detail::lanes<ushort, W> mask,
                                      unsigned extended, unsigned descriptor, cm_detail::lanes<U, M> payload,
                                      cm_detail::lanes<V, K> payload2, cm_detail::lanes<T, N> old);
template <typename U, int M, typename V, int K, int W>
void __cm_raw_sends_only(unsigned how, unsigned counts, cm_detail::lanes<ushort, W> mask, unsigned extended,
                         unsigned descriptor, cm_detail::lanes<U, M> payload, cm_detail::lanes<V, K> payload2);

void __cm_slm_init(unsigned bytes);
unsigned __cm_slm_alloc(unsigned bytes);

template <typename T, int N> cm_detail::lanes<T, N> __cm_svm_block_read(svmptr_t address);
template <typename T, int N> cm_detail::lanes<T, N> __cm_svm_block_read_unaligned(svmptr_t address);
template <typename T, int N> void __cm_svm_block_write(svmptr_t address, cm_detail::lanes<T, N> value);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_svm_gather(cm_detail::lanes<ushort, N> mask, cm_detail::lanes<uint64_t, N> addresses,
                                       cm_detail::lanes<T, N> off);
template <typename T, int N>
void __cm_svm_scatter(cm_detail::lanes<ushort, N> mask, cm_detail::lanes<uint64_t, N> addresses,
                      cm_detail::lanes<T, N> value);
template <typename T, int N, int M>
cm_detail::lanes<T, M> __cm_svm_gather4(unsigned channels, cm_detail::lanes<ushort, N> mask,
                                        cm_detail::lanes<uint64_t, N> addresses);
template <typename T, int N, int M>
void __cm_svm_scatter4(unsigned channels, cm_detail::lanes<ushort, N> mask, cm_detail::lanes<uint64_t, N> addresses,
                       cm_detail::lanes<T, M> value);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_svm_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask,
                                       cm_detail::lanes<uint64_t, N> addresses, cm_detail::lanes<T, N> x,
                                       cm_detail::lanes<T, N> y);

template <typename T, int N>
cm_detail::lanes<T, N> __cm_lsc_load(unsigned how, cm_detail::lanes<ushort, 16> mask, SurfaceIndex surface,
                                     cm_detail::lanes<uint, 16> offsets);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_lsc_load_flat(unsigned how, cm_detail::lanes<ushort, 16> mask,
                                          cm_detail::lanes<uint64_t, 16> addresses);
template <typename T, int N>
void __cm_lsc_store(unsigned how, cm_detail::lanes<ushort, 16> mask, SurfaceIndex surface,
                    cm_detail::lanes<uint, 16> offsets, cm_detail::lanes<T, N> value);
template <typename T, int N>
void __cm_lsc_store_flat(unsigned how, cm_detail::lanes<ushort, 16> mask, cm_detail::lanes<uint64_t, 16> addresses,
                         cm_detail::lanes<T, N> value);
void __cm_lsc_prefetch(unsigned how, cm_detail::lanes<ushort, 16> mask, SurfaceIndex surface,
                       cm_detail::lanes<uint, 16> offsets);
void __cm_lsc_prefetch_flat(unsigned how, cm_detail::lanes<ushort, 16> mask, cm_detail::lanes<uint64_t, 16> addresses);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_lsc_block_load(unsigned how, SurfaceIndex surface, unsigned offset);
template <typename T, int N> cm_detail::lanes<T, N> __cm_lsc_block_load_flat(unsigned how, uint64_t address);
template <typename T, int N>
void __cm_lsc_block_store(unsigned how, SurfaceIndex surface, unsigned offset, cm_detail::lanes<T, N> value);
template <typename T, int N>
void __cm_lsc_block_store_flat(unsigned how, uint64_t address, cm_detail::lanes<T, N> value);
void __cm_lsc_block_prefetch(unsigned how, SurfaceIndex surface, unsigned offset);
void __cm_lsc_block_prefetch_flat(unsigned how, uint64_t address);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_lsc_atomic(unsigned how, unsigned operation, cm_detail::lanes<ushort, N> mask,
                                       SurfaceIndex surface, cm_detail::lanes<uint, N> offsets,
                                       cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_lsc_atomic_flat(unsigned how, unsigned operation, cm_detail::lanes<ushort, N> mask,
                                            cm_detail::lanes<uint64_t, N> addresses, cm_detail::lanes<T, N> x,
                                            cm_detail::lanes<T, N> y);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_lsc_load_2d(unsigned how, unsigned shape, uint64_t base, unsigned width, unsigned height,
                                        unsigned pitch, int x, int y);
template <typename T, int N>
void __cm_lsc_store_2d(unsigned how, unsigned shape, uint64_t base, unsigned width, unsigned height, unsigned pitch,
                       int x, int y, cm_detail::lanes<T, N> value);
void __cm_lsc_prefetch_2d(unsigned how, unsigned shape, uint64_t base, unsigned width, unsigned height, unsigned pitch,
                          int x, int y);
void __cm_lsc_fence(unsigned how);

uint64_t __cm_printf_buffer();
uint64_t __cm_string(const char *literal);
template <typename... A> void __cm_print(uint64_t format, A... arguments);

unsigned __cm_group_id(unsigned dimension);
unsigned __cm_group_count(unsigned dimension);
unsigned __cm_local_id(unsigned dimension);
unsigned __cm_local_size(unsigned dimension);

void __cm_barrier();
void __cm_sbarrier(unsigned signal);
void __cm_nbarrier_init(unsigned count);
void __cm_nbarrier_signal(unsigned payload);
void __cm_nbarrier_wait(unsigned barrier);
template <typename T, int N> cm_detail::lanes<T, N> __cm_timestamp();
void __cm_fence(unsigned mask);

#define CM_DETAIL_UNARY(NAME) template <typename T, int N> cm_detail::lanes<T, N> __cm_##NAME(cm_detail::lanes<T, N> x)
#define CM_DETAIL_BINARY(NAME)                                                                                         \
    template <typename T, int N> cm_detail::lanes<T, N> __cm_##NAME(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y)
#define CM_DETAIL_CONVERT(NAME)                                                                                        \
    template <typename R, typename T, int N> cm_detail::lanes<R, N> __cm_##NAME(cm_detail::lanes<T, N> x)
#define CM_DETAIL_COUNT(NAME)                                                                                          \
    template <typename T, int N> cm_detail::lanes<uint, N> __cm_##NAME(cm_detail::lanes<T, N> x)

CM_DETAIL_UNARY(inv);
CM_DETAIL_UNARY(log);
CM_DETAIL_UNARY(exp);
CM_DETAIL_UNARY(sqrt);
CM_DETAIL_UNARY(rsqrt);
CM_DETAIL_UNARY(sin);
CM_DETAIL_UNARY(cos);
CM_DETAIL_BINARY(pow);
CM_DETAIL_UNARY(rndd);
CM_DETAIL_UNARY(rndu);
CM_DETAIL_UNARY(rnde);
CM_DETAIL_UNARY(rndz);
CM_DETAIL_UNARY(frc);
CM_DETAIL_BINARY(smin);
CM_DETAIL_BINARY(smax);
CM_DETAIL_BINARY(umin);
CM_DETAIL_BINARY(umax);
CM_DETAIL_BINARY(fmin);
CM_DETAIL_BINARY(fmax);
CM_DETAIL_UNARY(sabs);
CM_DETAIL_UNARY(fabs);
CM_DETAIL_CONVERT(sat_s2s);
CM_DETAIL_CONVERT(sat_s2u);
CM_DETAIL_CONVERT(sat_u2s);
CM_DETAIL_CONVERT(sat_u2u);
CM_DETAIL_CONVERT(sat_f2s);
CM_DETAIL_CONVERT(sat_f2u);
CM_DETAIL_UNARY(sat_f);
template <typename R, typename T, int N> cm_detail::lanes<R, N> __cm_bf_round(cm_detail::lanes<T, N> x);
template <typename R, typename T, int N> cm_detail::lanes<R, N> __cm_bf_widen(cm_detail::lanes<T, N> x);
template <typename R, typename T, int N> cm_detail::lanes<R, N> __cm_tf32_round(cm_detail::lanes<T, N> x);
template <typename R, typename T, int N>
cm_detail::lanes<R, N> __cm_srnd(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> random);
CM_DETAIL_COUNT(cbit);
CM_DETAIL_COUNT(fbl);
CM_DETAIL_COUNT(fbh);
CM_DETAIL_COUNT(ufbh);
CM_DETAIL_COUNT(lzd);
CM_DETAIL_UNARY(bfrev);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_lrp(cm_detail::lanes<T, N> weight, cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y);
CM_DETAIL_BINARY(dp2);
CM_DETAIL_BINARY(dp3);
CM_DETAIL_BINARY(dp4);
CM_DETAIL_BINARY(dph);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_line(cm_detail::lanes<T, 4> coefficients, cm_detail::lanes<T, N> x);
template <typename T, int N, int M>
cm_detail::lanes<T, N> __cm_pln(cm_detail::lanes<T, 4> coefficients, cm_detail::lanes<T, M> x);
template <typename R, typename T, int N>
cm_detail::lanes<R, N> __cm_ssad2(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y);
template <typename R, typename T, int N>
cm_detail::lanes<R, N> __cm_usad2(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y);
CM_DETAIL_BINARY(ieee_div);
CM_DETAIL_UNARY(ieee_sqrt);
CM_DETAIL_BINARY(savg);
CM_DETAIL_BINARY(uavg);
CM_DETAIL_BINARY(smulh);
CM_DETAIL_BINARY(umulh);
CM_DETAIL_BINARY(rol);
CM_DETAIL_BINARY(ror);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_dp4a(unsigned how, cm_detail::lanes<T, N> sum, cm_detail::lanes<T, N> x,
                                 cm_detail::lanes<T, N> y);
template <typename T, int N, int M, int K>
cm_detail::lanes<T, N> __cm_dpas(unsigned how, cm_detail::lanes<T, N> sum, cm_detail::lanes<int, M> b,
                                 cm_detail::lanes<int, K> a);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_bfn(unsigned table, cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y,
                                cm_detail::lanes<T, N> z);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_bfi(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                cm_detail::lanes<T, N> field, cm_detail::lanes<T, N> base);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_ubfe(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                 cm_detail::lanes<T, N> value);
template <typename T, int N>
cm_detail::lanes<T, N> __cm_sbfe(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                 cm_detail::lanes<T, N> value);

#undef CM_DETAIL_UNARY
#undef CM_DETAIL_BINARY
#undef CM_DETAIL_CONVERT
#undef CM_DETAIL_COUNT
#endif

#endif
