/* Loops with a different trip count in each lane, early exits, nested conditions, a switch and a call. */
static __attribute__((noinline)) int collatz(int n)
{
    int steps = 0;
    while (n > 1 && steps < 1000) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

__kernel void nested(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        if (in[i + k] > 0.5f) {
            sum += in[k];
            if (sum > 100)
                break;
            for (int j = k; j < i; j++) {
                if (in[j] == 3.0f)
                    continue;
                if (in[j] < -3.0f)
                    return;
                sum -= in[j] * 0.25f;
            }
        } else if (in[i] < -3.0f) {
            continue;
        } else {
            sum *= 2;
        }
    }
    out[i] = sum;
}

__kernel void cases(__global int *data)
{
    int i = get_global_id(0);
    int v = data[i], turns = 0;
    do {
        switch (v & 7) {
        case 0: v += 5; break;
        case 1: v *= 3; break;
        case 4: v -= i; break;
        case 6: v ^= 0x55; break;
        default: v >>= 1;
        }
    } while (v > 20 && ++turns < 50);
    data[i] = v + collatz(v);
}
