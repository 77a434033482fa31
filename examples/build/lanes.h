/* What kernel and host program must agree on. */
#define LANES 8
