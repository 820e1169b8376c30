//--local_size=*,1,1 --num_groups=*,1,1
__kernel void histogram(__global const uint *in, __global uint *bins, uint n, __local uint *own) {
    for (uint b = get_local_id(0); b < 256; b += get_local_size(0))
        own[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        «atomic_inc(&own[in[i] & 255]);¦own[in[i] & 255]++;»
    «barrier(CLK_LOCAL_MEM_FENCE);¦»
    for (uint b = get_local_id(0); b < 256; b += get_local_size(0))
        atomic_add(&bins[b], own[b]);
}
