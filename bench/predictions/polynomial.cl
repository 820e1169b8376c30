// Much arithmetic for each element.
__kernel void polynomial(__global float *out, __global const float *a, int n)
{
    int first = get_group_id(0) * block_size_x * items + get_local_id(0);
    for (int i = 0; i < items; i++) {
        int at = first + i * block_size_x;
        if (at < n) {
            float x = a[at], y = 0.5f;
            for (int k = 0; k < 256; k++)
                y = y * x + 0.25f;
            out[at] = y;
        }
    }
}
