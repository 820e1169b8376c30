// Each item adds several neighbours: accesses of a warp are apart.
__kernel void axpy(__global float *out, __global const float *a, int n)
{
    int first = get_global_id(0) * items;
    for (int i = 0; i < items; i++)
        if (first + i < n)
            out[first + i] = 3.0f * a[first + i] + 1.0f;
}
