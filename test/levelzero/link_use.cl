/* The half of a program that imports a function; and variables that the host reaches by name. */
int scaled(int x, int factor);

global uint total = 5;
constant uint steps[4] = {1, 10, 100, 1000};

kernel void through_library(global int *data, int factor)
{
    size_t i = get_global_id(0);
    data[i] = scaled(data[i], factor);
}

kernel void use_globals(global uint *out)
{
    uint i = (uint)get_global_id(0);
    out[i] = total + steps[i % 4];
}
