// Each item scales several elements, a block apart.
__kernel void scale(__global float *out, __global const float *a, int n)
{
    int first = get_group_id(0) * block_size_x * items + get_local_id(0);
    for (int i = 0; i < items; i++) {
        int at = first + i * block_size_x;
        if (at < n)
            out[at] = 2.5f * a[at];
    }
}
