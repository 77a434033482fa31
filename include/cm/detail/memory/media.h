/* Blocks of two-dimensional surfaces. x counts bytes, y rows; reads outside the surface take its edge, writes there are
 * dropped. The names of CmBufferAttrib and CmSurfacePlaneIndex are those of Intel's cm/cm_common.h. */
#ifndef CMKIT_CM_DETAIL_MEMORY_MEDIA_H
#define CMKIT_CM_DETAIL_MEMORY_MEDIA_H

namespace cm_detail
{

/* Which lines of an interlaced surface a block takes. */
enum class lines : unsigned { all = 0, top_field = 2, bottom_field = 3 };

/* The registers of a block of R rows of C elements: each row takes a power of two bytes. */
template <typename T, int R, int C> struct block {
    static constexpr int width = C * sizeof(T);
    static constexpr int columns = power_of_two_at_least(width, 4) / sizeof(T);

    static constexpr bool check()
    {
        static_assert(
            width <= 64,
            "a block of a 2D surface is at most 64 bytes wide, not {C*T}; wider ones are read and written in parts");
        static_assert(
            R <= 64, "a block of a 2D surface has at most 64 rows, not {R}; higher ones are read and written in parts");
        static_assert(columns * sizeof(T) * R <= 256, "{R} rows of {C*T} bytes are too large a block of a 2D surface; "
                                                      "it has at most 256 bytes, each row rounded up to "
                                                      "a power of two");
        return true;
    }
};

template <typename M>
CM_DETAIL_INLINE void read_block(lines which, SurfaceIndex surface, unsigned plane, int x, int y, const M &destination)
{
    typedef element<M> T;
    constexpr int R = M::rows_, C = M::columns_;
    typedef block<T, R, C> shape;
    static_assert(shape::check());
    auto data = __cm_media_read<T, R * shape::columns>((unsigned)which, surface, plane, shape::width, x, y);
    if constexpr (shape::columns == C) {
        destination.write_(data);
    } else {
        matrix<T, R, shape::columns> padded;
        padded.write_(data);
        destination.write_(padded.template select<R, 1, C, 1>().read_());
    }
}

template <typename M>
CM_DETAIL_INLINE void write_block(lines which, SurfaceIndex surface, unsigned plane, int x, int y, const M &source)
{
    typedef element<M> T;
    constexpr int R = M::rows_, C = M::columns_;
    typedef block<T, R, C> shape;
    static_assert(shape::check());
    static_assert(shape::width % 4 == 0,
                  "a block of {M} written to a 2D surface; its rows must be a multiple of 4 bytes wide");
    if constexpr (shape::columns == C) {
        __cm_media_write<T, R * C>((unsigned)which, surface, plane, shape::width, x, y, source.read_());
    } else {
        matrix<T, R, shape::columns> padded;
        padded.template select<R, 1, C, 1>().write_(source.read_());
        __cm_media_write<T, R * shape::columns>((unsigned)which, surface, plane, shape::width, x, y, padded.read_());
    }
}

template <typename M> using if_operand = enable_if<CM_DETAIL_IS_OPERAND(M)>;

} // namespace cm_detail

/* Modifiers of a surface: the rows of an image that are accessed, or the alignment of an offset: 16 bytes (GENX_NONE)
 * or 4. Hints about caches are ignored, because the driver sets the caches. */
enum CmBufferAttrib {
    GENX_NONE = 0,
    GENX_TOP_FIELD = 1,
    GENX_BOTTOM_FIELD = 2,
    GENX_DWALIGNED = 3,
    GENX_MODIFIED = 4,
    GENX_MODIFIED_TOP_FIELD = 5,
    GENX_MODIFIED_BOTTOM_FIELD = 6,
    GENX_MODIFIED_DWALIGNED = 7,
    GENX_CONSTANT = 8,
    GENX_CONSTANT_DWALIGNED = 9,
    GENX_NUM_BUFFER_ATTRIB = 10,
    /* as Intel's headers name them: CmBufferAttrib::_GENX_NONE */
    _GENX_NONE = GENX_NONE,
    _GENX_TOP_FIELD = GENX_TOP_FIELD,
    _GENX_BOTTOM_FIELD = GENX_BOTTOM_FIELD,
    _GENX_DWALIGNED = GENX_DWALIGNED,
    _GENX_MODIFIED = GENX_MODIFIED,
    _GENX_MODIFIED_TOP_FIELD = GENX_MODIFIED_TOP_FIELD,
    _GENX_MODIFIED_BOTTOM_FIELD = GENX_MODIFIED_BOTTOM_FIELD,
    _GENX_MODIFIED_DWALIGNED = GENX_MODIFIED_DWALIGNED,
    _GENX_CONSTANT = GENX_CONSTANT,
    _GENX_CONSTANT_DWALIGNED = GENX_CONSTANT_DWALIGNED,
    _GENX_NUM_BUFFER_ATTRIB = GENX_NUM_BUFFER_ATTRIB,
};

/* TOP_FIELD(S), BOTTOM_FIELD(S) in place of an image S: access only its even or its odd rows, which y numbers; x counts
 * bytes and has the same alignment as without them. MODIFIED(S), MODIFIED_TOP_FIELD(S), MODIFIED_BOTTOM_FIELD(S): the
 * same; MODIFIED is ignored, because the driver sets the caches. All platforms.
 * Source: CM specification 4.5 "Media Block Read/Write"; Intel's cm/cm_dataport.h (MODIFIED). */
#define TOP_FIELD(SURFACE)             SURFACE, GENX_TOP_FIELD
#define BOTTOM_FIELD(SURFACE)          SURFACE, GENX_BOTTOM_FIELD
#define MODIFIED(SURFACE)              SURFACE, GENX_MODIFIED
#define MODIFIED_TOP_FIELD(SURFACE)    SURFACE, GENX_MODIFIED_TOP_FIELD
#define MODIFIED_BOTTOM_FIELD(SURFACE) SURFACE, GENX_MODIFIED_BOTTOM_FIELD

namespace cm_detail
{
constexpr lines lines_of(CmBufferAttrib access)
{
    return access == GENX_TOP_FIELD || access == GENX_MODIFIED_TOP_FIELD         ? lines::top_field
           : access == GENX_BOTTOM_FIELD || access == GENX_MODIFIED_BOTTOM_FIELD ? lines::bottom_field
                                                                                 : lines::all;
}
} // namespace cm_detail

/* Planes of an image that has several: of NV12 there are Y and UV, whose elements are pairs. */
enum CmSurfacePlaneIndex {
    GENX_SURFACE_Y_PLANE = 0,
    GENX_SURFACE_U_PLANE = 1,
    GENX_SURFACE_UV_PLANE = 1,
    GENX_SURFACE_V_PLANE = 2,
    /* as Intel's headers name them: CmSurfacePlaneIndex::_GENX_SURFACE_Y_PLANE */
    _GENX_SURFACE_Y_PLANE = GENX_SURFACE_Y_PLANE,
    _GENX_SURFACE_U_PLANE = GENX_SURFACE_U_PLANE,
    _GENX_SURFACE_UV_PLANE = GENX_SURFACE_UV_PLANE,
    _GENX_SURFACE_V_PLANE = GENX_SURFACE_V_PLANE,
};

/* read(S, x, y, m), write(S, x, y, m): a block of an image from byte x of row y on; m's rows, of any element type, are
 * the block's, a vector is one row. At most 64 bytes wide (rows in the message are padded to a power of two of at least
 * 4 bytes) and 64 rows, with padding 256 bytes. Reads start at any byte; of writes, x and the width are multiples of 4
 * bytes. TOP_FIELD(S) and BOTTOM_FIELD(S) take every other row. Not inside SIMD control flow. All platforms but not on
 * PVC. Source: CM specification 4.5 "Media Block Read/Write". */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void read(SurfaceIndex surface, int x, int y, const M &destination)
{
    cm_detail::read_block(cm_detail::lines::all, surface, 0, x, y, destination);
}
/* cm_load(S, x, y, m), cm_store(S, x, y, m): read(S, x, y, m) and write(S, x, y, m), blocks of an image from byte x of
 * row y on, by the names that kernels use where CM_HAS_LSC_TYPED_2D is defined; m has any element type, writes are
 * aligned to 4 bytes. Not inside SIMD control flow. All platforms but not on PVC. Source: OpenVINO's CM kernels. */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_load(SurfaceIndex surface, int x, int y, const M &destination)
{
    cm_detail::read_block(cm_detail::lines::all, surface, 0, x, y, destination);
}
/* cm_store(S, x, y, m): writes a block of an image at byte x of row y. */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_store(SurfaceIndex surface, int x, int y, const M &source)
{
    cm_detail::write_block(cm_detail::lines::all, surface, 0, x, y, source);
}

/* read(TOP_FIELD(S), x, y, m): a block of every other row of an image from byte x on; y counts these rows; also of
 * BOTTOM_FIELD(S). */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void read(SurfaceIndex surface, CmBufferAttrib which, int x, int y, const M &destination)
{
    cm_detail::read_block(cm_detail::lines_of(which), surface, 0, x, y, destination);
}
/* write(S, x, y, m): writes a block of an image at byte x of row y; x and the width are multiples of 4 bytes. */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, int x, int y, const M &source)
{
    cm_detail::write_block(cm_detail::lines::all, surface, 0, x, y, source);
}
/* write(TOP_FIELD(S), x, y, m): writes a block to every other row of an image; y counts these rows; also of
 * BOTTOM_FIELD(S). */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, CmBufferAttrib which, int x, int y, const M &source)
{
    cm_detail::write_block(cm_detail::lines_of(which), surface, 0, x, y, source);
}

/* read_plane(S, plane, x, y, m), write_plane(S, plane, x, y, m): the same of one plane (CmSurfacePlaneIndex, a
 * constant) of an image with several: x in bytes, y in rows of that plane, m of any element type; alignment and limits
 * as for read and write. Not inside SIMD control flow. All platforms but not on PVC.
 * Source: CM specification 4.5 "Media Block Read/Write for Planar Surface". */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void read_plane(SurfaceIndex surface, CmSurfacePlaneIndex plane, int x, int y, const M &destination)
{
    cm_detail::read_block(cm_detail::lines::all, surface, plane, x, y, destination);
}
/* write_plane(S, plane, x, y, m): writes a block of one plane of an image. */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void write_plane(SurfaceIndex surface, CmSurfacePlaneIndex plane, int x, int y, const M &source)
{
    cm_detail::write_block(cm_detail::lines::all, surface, plane, x, y, source);
}

/* The same of TOP_FIELD(S) and BOTTOM_FIELD(S): y counts the rows of that field, x bytes. All platforms. */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void read_plane(SurfaceIndex surface, CmBufferAttrib which, CmSurfacePlaneIndex plane, int x, int y,
                                 const M &destination)
{
    cm_detail::read_block(cm_detail::lines_of(which), surface, plane, x, y, destination);
}
/* write_plane(TOP_FIELD(S), plane, x, y, m): writes a block to the rows of one field of a plane; y counts these
 * rows; also of BOTTOM_FIELD(S). */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void write_plane(SurfaceIndex surface, CmBufferAttrib which, CmSurfacePlaneIndex plane, int x, int y,
                                  const M &source)
{
    cm_detail::write_block(cm_detail::lines_of(which), surface, plane, x, y, source);
}

/* Sizes of a block that is read transposed. */
enum CM_READ_SIZE { CM_READ_1 = 0, CM_READ_2 = 1, CM_READ_4 = 2, CM_READ_8 = 3 };

namespace cm_detail
{
template <typename M> constexpr bool check_transposed()
{
    static_assert(sizeof(element<M>) == 4, "read_transpose moves int, uint or float");
    static_assert(is_power_of_two(facts<M>::rows) && facts<M>::rows <= 8 && is_power_of_two(facts<M>::columns) &&
                      facts<M>::columns <= 8,
                  "read_transpose into a {M}; it has 1, 2, 4 or 8 rows and columns");
    return true;
}
} // namespace cm_detail

/* read_transpose(S, height, width, X, Y, m): a block of a 2D surface, `width` dwords wide and `height` rows high
 * (CM_READ_1 ... CM_READ_8), whose columns become rows of m: m has `width` rows and `height` columns of int, uint or
 * float. X and Y count blocks, which are aligned to dwords. A block read and moves; not inside SIMD control flow.
 * All platforms but not on PVC.
 * Source: CM specification 4.5 "Transpose Read". */
template <typename M, typename = cm_detail::enable_if<cm_detail::facts<M>::is_matrix>>
CM_DETAIL_INLINE void read_transpose(SurfaceIndex surface, CM_READ_SIZE height, CM_READ_SIZE width, int x, int y,
                                     const M &destination)
{
    using namespace cm_detail;
    static_assert(check_transposed<M>());
    constexpr int rows = facts<M>::columns, columns = facts<M>::rows;
    (void)height, (void)width; /* m says the same */
    matrix<element<M>, rows, columns> block;
    read_block(lines::all, surface, 0, x * columns * 4, y * rows, block);
#pragma unroll
    for (int k = 0; k < columns; k++)
        destination.row(k) = block.column(k);
}

#endif
