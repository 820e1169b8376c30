// Sums of rows, a thread for each: the accesses of a warp are far apart.
__kernel void row_sums(__global float *out, __global const float *a, int n)
{
    int row = get_global_id(0);
    if (row >= n)
        return;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[row * n + i];
    out[row] = sum;
}
