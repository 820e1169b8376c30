//--local_size=64 --num_groups=8
__kernel void scale(__global int *a, int k) {
    int i = get_global_id(0);
    a[i] = k * a[i];
}
