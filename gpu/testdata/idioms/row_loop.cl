//--local_size=[*,1,1] --num_groups=[*,1,1]
__kernel void row_loop(__global const float *a, __global const float *x, __global float *y, int rows, int cols) {
    int r = get_global_id(0);
    if (r < rows) {
        float sum = 0;
        for (int c = 0; c < cols; c++)
            sum += a[r * cols + c] * x[c];
        y[«r¦r >> 1¦cols»] = sum;
    }
}
