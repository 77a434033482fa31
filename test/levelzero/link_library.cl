/* The half of a program that exports a function and a variable: linked with link_use.cl when both are loaded. */
global int calls = 0;

__attribute__((noinline)) int scaled(int x, int factor)
{
    atomic_inc((volatile global int *)&calls);
    return x * factor + 7;
}
