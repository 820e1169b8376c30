// Sums of columns: a warp reads neighbours.
__kernel void column_sums(__global float *out, __global const float *a, int n)
{
    int column = get_global_id(0);
    if (column >= n)
        return;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i * n + column];
    out[column] = sum;
}
