/* Checks GPU address spaces: lookup, adjacent and overlapping ranges, the ends of the address range. */
#include "sim/base/space.h"

#include "check.h"

static uint8_t memory[0x4000];

static void finds_only_what_is_there(void)
{
    const struct sim_range ranges[] = {{0x30000, 0x1000, memory + 0x2000}, {0x10000, 0x1000, memory}};
    struct sim_space *space = sim_space_create(ranges, 2);
    CHECK(sim_space_map(space, 0x10000, 1) == memory);
    CHECK(sim_space_map(space, 0x10fff, 1) == memory + 0xfff);
    CHECK(!sim_space_map(space, 0x10fff, 2));
    CHECK(!sim_space_map(space, 0xffff, 1));
    CHECK(!sim_space_map(space, 0x11000, 1));
    CHECK(!sim_space_map(space, 0x10000, UINT64_MAX));
    CHECK(sim_space_map(space, 0x30800, 0x800) == memory + 0x2800);
    CHECK(sim_space_find(space, 0x30800)->gpu == 0x30000);
    CHECK(sim_space_map(space, 0xffff000000030800, 1) == memory + 0x2800); /* bits above 48 do not count */
    sim_space_destroy(space);
}

static void joins_neighbours_of_one_allocation(void)
{
    const struct sim_range ranges[] = {
        {0x11000, 0x1000, memory + 0x1000}, {0x10000, 0x1000, memory}, {0x12000, 0x1000, memory + 0x3000}};
    struct sim_space *space = sim_space_create(ranges, 3);
    CHECK(sim_space_map(space, 0x10ff0, 0x20) == memory + 0xff0);
    CHECK(!sim_space_map(space, 0x11ff0, 0x20)); /* next to each other for the GPU, not in memory */
    CHECK(sim_space_map(space, 0x12000, 0x10) == memory + 0x3000);
    sim_space_destroy(space);
}

static void refuses_contradictions(void)
{
    const struct sim_range same[] = {{0x10000, 0x2000, memory}, {0x11000, 0x1000, memory + 0x1000}};
    const struct sim_range other[] = {{0x10000, 0x2000, memory}, {0x11000, 0x1000, memory}};
    const struct sim_range over_the_end[] = {{UINT64_C(0xfffffffff000), 0x2000, memory}};
    struct sim_space *space = sim_space_create(same, 2);
    CHECK(space);
    CHECK(sim_space_map(space, 0x11800, 0x100) == memory + 0x1800);
    sim_space_destroy(space);
    CHECK(!sim_space_create(other, 2));
    CHECK(!sim_space_create(over_the_end, 1));
}

static void accepts_the_last_page_and_nothing(void)
{
    const struct sim_range last[] = {{UINT64_C(0xfffffffff000), 0x1000, memory}};
    struct sim_space *space = sim_space_create(last, 1);
    CHECK(sim_space_map(space, UINT64_C(0xffffffffffff), 1) == memory + 0xfff);
    sim_space_destroy(space);
    space = sim_space_create(NULL, 0);
    CHECK(space && !sim_space_find(space, 0));
    sim_space_destroy(space);
}

int main(void)
{
    finds_only_what_is_there();
    joins_neighbours_of_one_allocation();
    refuses_contradictions();
    accepts_the_last_page_and_nothing();
    return 0;
}
