//--local_size=256 --num_groups=*
__kernel void blocked_rows(__global const float *in, __global float *out, int cols) {
    int row = get_group_id(0);
    for (int c = get_local_id(0); c < cols; c += «256¦255»)
        out[row * «cols¦(cols / 2)» + c] = in[row * cols + c];
}
