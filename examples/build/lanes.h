/* Defines what kernel and host program share. */
#define LANES 8
