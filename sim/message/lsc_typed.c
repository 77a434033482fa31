/* Decodes messages of the load/store cache to images. Coordinates U, V, R and the level of detail are dwords that
 * follow each other, each of all lanes; so do the components of texels. 2D blocks have one register of addresses. */
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"

enum { DWORD = 4, ADDRESSES_OF_32_BITS = 2, DATA_OF_32_BITS = 2, MOST_COORDINATES = 4 };

static bool check_length(struct request *request, const char *which, unsigned have, unsigned want)
{
    return have == want || request_refuse(request, "%s %u registers where the descriptor 0x%08x needs %u", which, have,
                                          request->descriptor, want);
}

static bool decode_block(struct request *request)
{
    const struct message *message = request->message;
    request->elements = 1;
    request->element_bytes = DWORD;
    request->data_at = request->register_bytes;
    request->return_bytes = message->dst_regs * request->register_bytes;
    return check_length(request, "addresses have", message->src0_regs, 1) &&
           (message->src0 || request_refuse(request, "a source is missing"));
}

static bool check_sizes(struct request *request)
{
    unsigned addresses = request->descriptor >> 7 & 3, data = request->descriptor >> 9 & 7;
    if (addresses != ADDRESSES_OF_32_BITS)
        return request_refuse(request, "address size %u: coordinates have 32 bits (2)", addresses);
    return data == DATA_OF_32_BITS || request_refuse(request, "data size %u: components have 32 bits (2)", data);
}

/* Registers of one component, or of one coordinate, of all lanes. */
static unsigned registers_of_each(const struct request *request)
{
    unsigned least = request->register_bytes / DWORD;
    unsigned lanes = request->channels < least ? least : request->channels;
    return (lanes * DWORD + request->register_bytes - 1) / request->register_bytes;
}

unsigned lsc_typed_data_registers(const struct request *request)
{
    return (unsigned)__builtin_popcount(request->descriptor >> 12 & 15) * registers_of_each(request);
}

static bool decode_quad(struct request *request)
{
    const struct message *message = request->message;
    unsigned least = request->register_bytes / DWORD;
    if (request->channels < least)
        request->channels = least;
    request->element_bytes = DWORD;
    request->component_mask = request->descriptor >> 12 & 15;
    request->elements = (unsigned)__builtin_popcount(request->component_mask);
    if (request->elements == 0)
        return request_refuse(request, "no component is on");
    unsigned each = registers_of_each(request);
    request->coordinates = message->src0_regs / each;
    request->data_at = message->src0_regs * request->register_bytes;
    request->return_bytes = message->dst_regs * request->register_bytes;
    if (message->src0_regs % each != 0 || request->coordinates == 0 || request->coordinates > MOST_COORDINATES)
        return request_refuse(request, "%u registers of coordinates for %u lanes", message->src0_regs,
                              message->exec_size);
    if (!message->src0 || (message->src1_regs && !message->src1))
        return request_refuse(request, "a source is missing");
    unsigned data = request->elements * each;
    return check_length(request, "data has", message->src1_regs, request_writes(request) ? data : 0) &&
           (message->dst_regs == 0 || /* a load without a destination only fills the cache */
            check_length(request, "destination has", message->dst_regs, request_writes(request) ? 0 : data));
}

bool lsc_typed_decode(struct request *request)
{
    if (lsc_base(request) == LSC_FLAT)
        return request_refuse(request, "texels of flat memory: they belong to a surface");
    if (request->kind->perform == message_lsc_typed_block)
        return decode_block(request);
    return check_sizes(request) && decode_quad(request);
}
