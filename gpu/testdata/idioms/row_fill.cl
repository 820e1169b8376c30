//--local_size=[*,1,1] --num_groups=[*,1,1]
__kernel void row_fill(__global float *a, int rows, int cols) {
    int r = get_global_id(0);
    if (r < rows)
        for (int c = 0; c «<¦<=» cols; c++)
            a[r * «cols¦(cols - 1)» + c] = c;
}
