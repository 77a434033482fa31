/* Computes in scalar C what the kernel of structures.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

struct particle {
    u32 position[8];
    i16 speed[8];
    i32 age;
};

static void step_particle(struct particle *p, int n)
{
    EACH(k, 8) p->position[k] += (u32)(p->speed[k] * n);
    p->age += n;
}

static struct particle older(struct particle p)
{
    p.age++;
    p.position[0] = (u32)p.age;
    return p;
}

static void structures(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, raw, 16, 0);
    struct particle p, q;
    EACH(k, 8) p.position[k] = raw[k];
    EACH(k, 8) p.speed[k] = raw[8 + k] & 0xff;
    p.age = 1;
    step_particle(&p, 2);
    q = older(p);
    EACH(k, 4) q.speed[k] = (i16)(q.speed[4 + k] >> 1);
    step_particle(&q, 3);
    p = older(q);
    p.speed[0] = 3;
    i32 a[16], b[16];
    EACH(k, 8)
    {
        a[k] = (i32)p.position[k];
        a[8 + k] = p.speed[k];
        b[k] = (i32)q.position[k];
        b[8 + k] = q.speed[k];
    }
    a[15] = p.age;
    b[15] = q.age;
    OUT(0, a);
    OUT(64, b);
}

REFERENCE(structures)
