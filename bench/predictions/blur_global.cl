// The same from global memory, several results an item.
__kernel void blur_global(__global float *out, __global const float *a, int n)
{
    int first = get_group_id(0) * block_size_x * items + get_local_id(0);
    for (int k = 0; k < items; k++) {
        int at = first + k * block_size_x;
        float sum = 0;
        for (int i = 0; i <= 2 * radius; i++)
            sum += a[at + i];
        out[at] = sum / (2 * radius + 1);
    }
}
