package builtin

// Rows is the table.
var Rows = []Row{
	// Where a thread is.
	{Means: LocalID, Doc: "the id of the thread in its group", Spell: Spelling{OpenCL: "get_local_id", CUDA: "threadIdx.{xyz}", NVPTX: "llvm.nvvm.read.ptx.sreg.tid.{xyz}", AMDGPU: "llvm.amdgcn.workitem.id.{xyz} __ockl_get_local_id"}},
	{Means: GroupID, Doc: "the id of the group in the grid", Spell: Spelling{OpenCL: "get_group_id", CUDA: "blockIdx.{xyz}", NVPTX: "llvm.nvvm.read.ptx.sreg.ctaid.{xyz}", AMDGPU: "llvm.amdgcn.workgroup.id.{xyz} __ockl_get_group_id"}},
	{Means: LocalSize, Doc: "how many threads a group has", Spell: Spelling{OpenCL: "get_local_size get_enqueued_local_size", CUDA: "blockDim.{xyz}", NVPTX: "llvm.nvvm.read.ptx.sreg.ntid.{xyz}", AMDGPU: "__ockl_get_local_size"}},
	{Means: NumGroups, Doc: "how many groups the grid has", Spell: Spelling{OpenCL: "get_num_groups", CUDA: "gridDim.{xyz}", NVPTX: "llvm.nvvm.read.ptx.sreg.nctaid.{xyz}", AMDGPU: "__ockl_get_num_groups"}},
	{Means: GlobalID, Doc: "the id of the thread in the grid", Spell: Spelling{OpenCL: "get_global_id", AMDGPU: "__ockl_get_global_id"}},
	{Means: GlobalSize, Doc: "how many threads the grid has", Spell: Spelling{OpenCL: "get_global_size", AMDGPU: "__ockl_get_global_size"}},
	{Means: GlobalOffset, Doc: "0: ids of the grid begin there", Spell: Spelling{OpenCL: "get_global_offset", AMDGPU: "__ockl_get_global_offset"}},
	{Means: Dimensions, Doc: "the dimensions of the grid: any number", Spell: Spelling{OpenCL: "get_work_dim"}},
	{Means: WarpSize, Doc: "32", Spell: Spelling{NVPTX: "llvm.nvvm.read.ptx.sreg.warpsize"}},

	// Threads together.
	{Means: Barrier, Doc: "a barrier of the group, which orders all accesses of its threads", Spell: Spelling{CUDA: "__syncthreads", NVPTX: "llvm.nvvm.barrier0 llvm.nvvm.barrier.cta.sync.aligned.all llvm.nvvm.bar.sync"}},
	{Means: BarrierVote, Doc: "a barrier of the group that gives a number of what all threads say", Spell: Spelling{CUDA: "__syncthreads_count __syncthreads_and __syncthreads_or", NVPTX: "llvm.nvvm.barrier0.popc llvm.nvvm.barrier0.and llvm.nvvm.barrier0.or"}},
	{Means: BarrierFlags, Doc: "a barrier of the group, which orders the accesses that its first argument says", Spell: Spelling{OpenCL: "barrier work_group_barrier"}},
	{Means: BarrierBare, Doc: "a barrier of the group, which orders what the fences on both its sides order", Spell: Spelling{AMDGPU: "llvm.amdgcn.s.barrier"}},
	{Means: Fence, Doc: "orders the accesses of one thread; without a barrier it takes no race away", Spell: Spelling{OpenCL: "mem_fence read_mem_fence write_mem_fence atomic_work_item_fence", CUDA: "__threadfence __threadfence_block __threadfence_system", NVPTX: "llvm.nvvm.membar.cta llvm.nvvm.membar.gl llvm.nvvm.membar.sys"}},
	{Means: Atomic, Doc: "changes what its first argument leads to in one step; gives any value", Spell: Spelling{
		OpenCL: "atomic_add atomic_sub atomic_xchg atomic_min atomic_max atomic_and atomic_or atomic_xor atomic_inc atomic_dec atomic_cmpxchg atom_add atom_sub atom_xchg atom_min atom_max atom_and atom_or atom_xor atom_inc atom_dec atom_cmpxchg",
		CUDA:   "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor atomicAdd_system atomicSub_system atomicExch_system atomicMin_system atomicMax_system atomicInc_system atomicDec_system atomicCAS_system atomicAnd_system atomicOr_system atomicXor_system",
		NVPTX:  "llvm.nvvm.atomic.load.inc.32 llvm.nvvm.atomic.load.dec.32 llvm.nvvm.atomic.load.inc.32.p0 llvm.nvvm.atomic.load.dec.32.p0"}},
	{Means: AtomicBlock, Doc: "changes what its first argument leads to in one step, for the threads of the group alone; gives any value", Spell: Spelling{CUDA: "atomicAdd_block atomicSub_block atomicExch_block atomicMin_block atomicMax_block atomicInc_block atomicDec_block atomicCAS_block atomicAnd_block atomicOr_block atomicXor_block"}},
	{Means: Warp, Doc: "a value that depends on other threads of the warp", Spell: Spelling{
		CUDA:   "__reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync __match_any_sync __activemask",
		OpenCL: "sub_group_reduce_add sub_group_reduce_min sub_group_reduce_max sub_group_scan_inclusive_add sub_group_scan_inclusive_min sub_group_scan_inclusive_max sub_group_scan_exclusive_add sub_group_scan_exclusive_min sub_group_scan_exclusive_max sub_group_broadcast sub_group_any sub_group_all get_sub_group_size get_max_sub_group_size get_num_sub_groups get_sub_group_id get_sub_group_local_id",
		NVPTX:  "llvm.nvvm.shfl.sync.down llvm.nvvm.shfl.sync.up llvm.nvvm.shfl.sync.bfly llvm.nvvm.shfl.sync.idx llvm.nvvm.shfl.down llvm.nvvm.shfl.up llvm.nvvm.shfl.bfly llvm.nvvm.shfl.idx llvm.nvvm.vote.all llvm.nvvm.vote.any llvm.nvvm.vote.uni llvm.nvvm.vote.ballot llvm.nvvm.vote.all.sync llvm.nvvm.vote.any.sync llvm.nvvm.vote.uni.sync llvm.nvvm.vote.ballot.sync llvm.nvvm.activemask llvm.nvvm.match.any.sync llvm.nvvm.match.all.sync llvm.nvvm.redux.sync.add llvm.nvvm.redux.sync.umin llvm.nvvm.redux.sync.umax llvm.nvvm.redux.sync.min llvm.nvvm.redux.sync.max llvm.nvvm.redux.sync.and llvm.nvvm.redux.sync.or llvm.nvvm.redux.sync.xor llvm.nvvm.read.ptx.sreg.laneid llvm.nvvm.read.ptx.sreg.warpid llvm.nvvm.read.ptx.sreg.lanemask.lt llvm.nvvm.read.ptx.sreg.lanemask.le llvm.nvvm.read.ptx.sreg.lanemask.eq llvm.nvvm.read.ptx.sreg.lanemask.gt llvm.nvvm.read.ptx.sreg.lanemask.ge",
		AMDGPU: "llvm.amdgcn.mbcnt.lo llvm.amdgcn.mbcnt.hi llvm.amdgcn.ballot llvm.amdgcn.readfirstlane llvm.amdgcn.readlane llvm.amdgcn.ds.bpermute llvm.amdgcn.ds.permute llvm.amdgcn.ds.swizzle llvm.amdgcn.mov.dpp llvm.amdgcn.update.dpp llvm.amdgcn.wavefrontsize"}},
	{Means: WarpFence, Doc: "orders accesses within a warp, of which nothing is made use", Spell: Spelling{OpenCL: "sub_group_barrier", CUDA: "__syncwarp", NVPTX: "llvm.nvvm.bar.warp.sync", AMDGPU: "llvm.amdgcn.wave.barrier"}},

	{Means: Texel, Doc: "what a texture holds at a place, which no thread of the launch changes", Spell: Spelling{CUDA: "tex1Dfetch<> tex1D<> tex2D<> tex3D<> texCubemap<> tex1DLayered<> tex2DLayered<> texCubemapLayered<> tex1DLod<> tex2DLod<> tex3DLod<> tex2DLayeredLod<> texCubemapLod<> tex2DGrad<> tex3DGrad<> tex2Dgather<>"}},

	// Numbers that are followed.
	{Means: Minimum, Doc: "the smaller of two numbers", Spell: Spelling{OpenCL: "min"}},
	{Means: Maximum, Doc: "the larger of two numbers", Spell: Spelling{OpenCL: "max"}},
	{Means: Minimum, Signed: 1, Doc: "the smaller of two numbers with sign", Spell: Spelling{LLVM: "llvm.smin", NVPTX: "__nv_min __nv_llmin llvm.nvvm.min.i llvm.nvvm.min.ll"}},
	{Means: Minimum, Signed: -1, Doc: "the smaller of two numbers without sign", Spell: Spelling{LLVM: "llvm.umin", NVPTX: "__nv_umin __nv_ullmin llvm.nvvm.min.ui llvm.nvvm.min.ull"}},
	{Means: Maximum, Signed: 1, Doc: "the larger of two numbers with sign", Spell: Spelling{LLVM: "llvm.smax", NVPTX: "__nv_max __nv_llmax llvm.nvvm.max.i llvm.nvvm.max.ll"}},
	{Means: Maximum, Signed: -1, Doc: "the larger of two numbers without sign", Spell: Spelling{LLVM: "llvm.umax", NVPTX: "__nv_umax __nv_ullmax llvm.nvvm.max.ui llvm.nvvm.max.ull"}},
	{Means: Clamp, Doc: "a number, or the bound that it is beyond", Spell: Spelling{OpenCL: "clamp"}},
	{Means: Absolute, Doc: "the absolute value, as a number without sign", Spell: Spelling{OpenCL: "abs"}},
	{Means: Absolute, Signed: 1, Doc: "the absolute value of a number with sign", Spell: Spelling{NVPTX: "__nv_abs __nv_llabs"}},
	{Means: AbsoluteFlag, Signed: 1, Doc: "the absolute value of a number with sign", Spell: Spelling{LLVM: "llvm.abs"}},
	{Means: Multiply24, Doc: "the product of the low 24 bits", Spell: Spelling{OpenCL: "mul24"}},
	{Means: Multiply24, Signed: 1, Doc: "the product of the low 24 bits, with sign", Spell: Spelling{NVPTX: "__nv_mul24 llvm.nvvm.mul24.i", AMDGPU: "llvm.amdgcn.mul.i24"}},
	{Means: Multiply24, Signed: -1, Doc: "the product of the low 24 bits, without sign", Spell: Spelling{NVPTX: "__nv_umul24 llvm.nvvm.mul24.ui", AMDGPU: "llvm.amdgcn.mul.u24"}},
	{Means: MultiplyAdd24, Doc: "the product of the low 24 bits of two numbers, and a third added", Spell: Spelling{OpenCL: "mad24"}},
	{Means: CountBits, Doc: "a number of bits: from 0 to how many there are", Spell: Spelling{OpenCL: "popcount clz ctz", LLVM: "llvm.ctpop llvm.ctlz llvm.cttz", NVPTX: "__nv_popc __nv_popcll __nv_clz __nv_clzll"}},
	{Means: Argument, Doc: "its first argument", Spell: Spelling{LLVM: "llvm.expect llvm.expect.with.probability llvm.ssa.copy llvm.annotation llvm.launder.invariant.group llvm.strip.invariant.group llvm.ptr.annotation", NVPTX: "llvm.nvvm.ptr.gen.to.global llvm.nvvm.ptr.gen.to.shared llvm.nvvm.ptr.gen.to.constant llvm.nvvm.ptr.gen.to.local llvm.nvvm.ptr.global.to.gen llvm.nvvm.ptr.shared.to.gen llvm.nvvm.ptr.constant.to.gen llvm.nvvm.ptr.local.to.gen"}},
	{Means: Convert, Doc: "its argument as another type", Spell: Spelling{OpenCL: "convert_*"}},
	{Means: Reinterpret, Doc: "the bits of its argument as another type", Spell: Spelling{OpenCL: "as_*"}},

	// Memory.
	{Means: VectorLoad, Doc: "lanes, from so many times their number behind a pointer", Spell: Spelling{OpenCL: "vload2 vload3 vload4 vload8 vload16"}},
	{Means: VectorStore, Doc: "puts lanes so many times their number behind a pointer", Spell: Spelling{OpenCL: "vstore2 vstore3 vstore4 vstore8 vstore16"}},
	{Means: ReadCell, Doc: "what its first argument leads to", Spell: Spelling{NVPTX: "llvm.nvvm.ldg.global.i llvm.nvvm.ldg.global.f llvm.nvvm.ldg.global.p llvm.nvvm.ldu.global.i llvm.nvvm.ldu.global.f"}},
	{Means: CopyMemory, Doc: "copies so many bytes from its second argument to its first", Spell: Spelling{LLVM: "llvm.memcpy llvm.memmove llvm.memcpy.inline", CUDA: "memcpy memmove"}},
	{Means: SetMemory, Doc: "sets so many bytes behind its first argument to its second", Spell: Spelling{LLVM: "llvm.memset llvm.memset.inline", CUDA: "memset"}},
	{Means: AnyNumber, Writes: []int{1}, Doc: "two numbers of its arguments, one of them behind a pointer", Spell: Spelling{OpenCL: "modf frexp fract sincos lgamma_r", NVPTX: "__nv_modf __nv_modff __nv_frexp __nv_frexpf"}},
	{Means: AnyNumber, Writes: []int{2}, Doc: "two numbers of its arguments, one of them behind a pointer", Spell: Spelling{OpenCL: "remquo", NVPTX: "__nv_remquo __nv_remquof"}},
	{Means: AnyNumber, Writes: []int{1, 2}, Doc: "two numbers of its argument, both behind pointers", Spell: Spelling{NVPTX: "__nv_sincos __nv_sincosf __nv_fast_sincosf __nv_sincospi __nv_sincospif"}},
	{Means: LifeStart, Doc: "a variable begins to live, without value", Spell: Spelling{LLVM: "llvm.lifetime.start"}},
	{Means: LifeEnd, Doc: "a variable ends", Spell: Spelling{LLVM: "llvm.lifetime.end"}},
	{Means: Nothing, Doc: "a hint, or a note for debuggers", Spell: Spelling{LLVM: "llvm.dbg.declare llvm.dbg.value llvm.dbg.label llvm.dbg.assign llvm.donothing llvm.prefetch llvm.invariant.end llvm.var.annotation llvm.sideeffect llvm.experimental.noalias.scope.decl llvm.pseudoprobe", OpenCL: "prefetch", CUDA: "__nanosleep __prof_trigger"}},

	// What authors claim.
	{Means: Assume, Doc: "its argument holds, says the author", Spell: Spelling{LLVM: "llvm.assume", OpenCL: "__assume __global_assume", CUDA: "__assume __global_assume"}},
	{Means: Assert, Doc: "its argument must hold", Spell: Spelling{OpenCL: "__assert __global_assert assert", CUDA: "__assert __global_assert assert"}},
	{Means: AssertFail, Doc: "an assertion has failed", Spell: Spelling{CUDA: "__assertfail __assert_fail __assert_rtn", OpenCL: "__assert_fail"}},
	{Means: Trap, Doc: "ends the kernel with an error", Spell: Spelling{LLVM: "llvm.trap llvm.ubsantrap llvm.debugtrap", CUDA: "abort"}},
	{Means: Require, Doc: "what launches owe, says the author", Spell: Spelling{OpenCL: "__requires __global_requires", CUDA: "__requires __global_requires"}},
	{Means: Invariant, Doc: "an invariant of the loop that it stands in", Spell: Spelling{OpenCL: "__invariant __global_invariant", CUDA: "__invariant __global_invariant"}},
	{Means: Candidate, Doc: "a guess of another tool, on which nothing rests", Spell: Spelling{OpenCL: "__candidate_*", CUDA: "__candidate_*"}},
	{Means: Implies, Doc: "whether the first truth makes the second one hold", Spell: Spelling{OpenCL: "__implies", CUDA: "__implies"}},
	{Means: Print, Doc: "prints; reads no memory but the text of its format", Spell: Spelling{OpenCL: "printf", CUDA: "vprintf"}},

	// Known, and not read.
	{Means: Opaque, Doc: "images, samplers, pipes and queues are not read; take an array", Spell: Spelling{OpenCL: "read_imagef read_imagei read_imageui read_imageh write_imagef write_imagei write_imageui write_imageh get_image_width get_image_height get_image_depth enqueue_kernel", SPIR: "__translate_sampler_initializer"}},
	{Means: Opaque, Doc: "textures and surfaces are not read; take an array", Spell: Spelling{NVPTX: "llvm.nvvm.tex.* llvm.nvvm.tld4.* llvm.nvvm.suld.* llvm.nvvm.sust.* llvm.nvvm.texsurf.handle.internal"}},
	{Means: Opaque, Doc: "asynchronous copies are not read; let the threads of the group copy, and put a barrier behind", Spell: Spelling{OpenCL: "async_work_group_copy async_work_group_strided_copy wait_group_events", NVPTX: "llvm.nvvm.cp.async.*"}},
	{Means: Opaque, Doc: "functions of a whole group are not read; write it with local memory and barriers", Spell: Spelling{OpenCL: "work_group_all work_group_any work_group_broadcast work_group_reduce_* work_group_scan_*"}},
	{Means: Opaque, Doc: "operations of tensor cores are not read", Spell: Spelling{NVPTX: "llvm.nvvm.wmma.* llvm.nvvm.mma.* llvm.nvvm.ldmatrix.*"}},

	// Numbers that are not followed.
	{Means: AnyNumber, Ignores: true, Doc: "a number of what a pointer is, not of what it leads to", Spell: Spelling{LLVM: "llvm.is.constant llvm.objectsize", NVPTX: "llvm.nvvm.isspacep.shared llvm.nvvm.isspacep.global llvm.nvvm.isspacep.local llvm.nvvm.isspacep.const"}},
	{Means: AnyNumber, Doc: "a number of its arguments", Spell: Spelling{
		CUDA:   "sqrtf rsqrtf expf exp2f exp10f expm1f logf log2f log10f log1pf sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf asinhf acoshf atanhf powf fabsf floorf ceilf roundf truncf rintf nearbyintf fmodf fmaf fmaxf fminf fdimf hypotf erff erfcf tgammaf lgammaf cbrtf copysignf nextafterf ldexpf logbf remainderf sinpif cospif rcbrtf normf sqrt rsqrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh pow fabs floor ceil round trunc rint nearbyint fmod fma fmax fmin fdim hypot erf erfc tgamma lgamma cbrt copysign nextafter ldexp logb remainder __dp4a __dp2a_lo __dp2a_hi __float_to_tf32 __gradine_half_* __gradine_bfloat16_* __gradine_fp8_* __gradine_random __gradine_random_double",
		OpenCL: "sqrt rsqrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh sinpi cospi tanpi asinpi acospi atanpi atan2pi pow pown powr rootn fabs floor ceil round trunc rint fmod fma mad fmax fmin fdim hypot erf erfc tgamma lgamma native_sqrt native_rsqrt native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_sin native_cos native_tan native_powr native_recip native_divide half_sqrt half_rsqrt half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_sin half_cos half_tan half_recip half_divide half_powr sign step smoothstep mix radians degrees cbrt ldexp logb ilogb nan nextafter remainder copysign maxmag minmag normalize cross fast_normalize dot length distance fast_length fast_distance rotate hadd rhadd mul_hi mad_hi mad_sat add_sat sub_sat abs_diff upsample bitselect select isnan isinf isfinite isnormal signbit isequal isnotequal isless isgreater islessequal isgreaterequal islessgreater isordered isunordered any all shuffle shuffle2",
		LLVM:   "llvm.sqrt llvm.fma llvm.fmuladd llvm.fabs llvm.floor llvm.ceil llvm.trunc llvm.rint llvm.nearbyint llvm.round llvm.roundeven llvm.lrint llvm.llrint llvm.lround llvm.llround llvm.copysign llvm.minnum llvm.maxnum llvm.minimum llvm.maximum llvm.minimumnum llvm.maximumnum llvm.exp llvm.exp2 llvm.exp10 llvm.log llvm.log2 llvm.log10 llvm.pow llvm.powi llvm.sin llvm.cos llvm.tan llvm.asin llvm.acos llvm.atan llvm.atan2 llvm.sinh llvm.cosh llvm.tanh llvm.ldexp llvm.frexp llvm.modf llvm.sincos llvm.is.fpclass llvm.canonicalize llvm.convert.to.fp16 llvm.convert.from.fp16 llvm.fptosi.sat llvm.fptoui.sat llvm.bswap llvm.bitreverse llvm.fshl llvm.fshr llvm.sadd.with.overflow llvm.uadd.with.overflow llvm.ssub.with.overflow llvm.usub.with.overflow llvm.smul.with.overflow llvm.umul.with.overflow llvm.sadd.sat llvm.uadd.sat llvm.ssub.sat llvm.usub.sat llvm.sshl.sat llvm.ushl.sat llvm.scmp llvm.ucmp llvm.vector.reduce.add llvm.vector.reduce.mul llvm.vector.reduce.and llvm.vector.reduce.or llvm.vector.reduce.xor llvm.vector.reduce.smax llvm.vector.reduce.smin llvm.vector.reduce.umax llvm.vector.reduce.umin llvm.vector.reduce.fadd llvm.vector.reduce.fmul llvm.vector.reduce.fmax llvm.vector.reduce.fmin llvm.readcyclecounter llvm.readsteadycounter llvm.arithmetic.fence",
		NVPTX:  "__nv_* llvm.nvvm.fma.* llvm.nvvm.add.r* llvm.nvvm.mul.r* llvm.nvvm.div.* llvm.nvvm.rcp.* llvm.nvvm.sqrt.* llvm.nvvm.rsqrt.* llvm.nvvm.ex2.* llvm.nvvm.lg2.* llvm.nvvm.sin.* llvm.nvvm.cos.* llvm.nvvm.tanh.* llvm.nvvm.fabs.* llvm.nvvm.fabs llvm.nvvm.neg.* llvm.nvvm.fmin.* llvm.nvvm.fmax.* llvm.nvvm.floor.* llvm.nvvm.ceil.* llvm.nvvm.trunc.* llvm.nvvm.round.* llvm.nvvm.saturate.* llvm.nvvm.mulhi.* llvm.nvvm.sad.* llvm.nvvm.prmt llvm.nvvm.bitcast.* llvm.nvvm.d2i.* llvm.nvvm.d2f.* llvm.nvvm.d2ui.* llvm.nvvm.d2ll.* llvm.nvvm.d2ull.* llvm.nvvm.i2d.* llvm.nvvm.ui2d.* llvm.nvvm.ll2d.* llvm.nvvm.ull2d.* llvm.nvvm.f2i.* llvm.nvvm.f2ui.* llvm.nvvm.f2ll.* llvm.nvvm.f2ull.* llvm.nvvm.i2f.* llvm.nvvm.ui2f.* llvm.nvvm.ll2f.* llvm.nvvm.ull2f.* llvm.nvvm.f2h.* llvm.nvvm.ff2bf16x2.* llvm.nvvm.ff2f16x2.* llvm.nvvm.f2bf16.* llvm.nvvm.lohi.i2d llvm.nvvm.dp4a.* llvm.nvvm.idp4a.* llvm.nvvm.idp2a.* llvm.nvvm.read.ptx.sreg.clock llvm.nvvm.read.ptx.sreg.clock64 llvm.nvvm.read.ptx.sreg.globaltimer llvm.nvvm.read.ptx.sreg.smid llvm.nvvm.read.ptx.sreg.nsmid llvm.nvvm.fns",
		AMDGPU: "__ocml_* llvm.amdgcn.rcp llvm.amdgcn.rsq llvm.amdgcn.sqrt llvm.amdgcn.sin llvm.amdgcn.cos llvm.amdgcn.exp2 llvm.amdgcn.log llvm.amdgcn.fract llvm.amdgcn.fmed3 llvm.amdgcn.frexp.exp llvm.amdgcn.frexp.mant llvm.amdgcn.ldexp llvm.amdgcn.class llvm.amdgcn.cvt.pkrtz llvm.amdgcn.alignbit llvm.amdgcn.perm llvm.amdgcn.ubfe llvm.amdgcn.sbfe llvm.amdgcn.s.memtime llvm.amdgcn.s.memrealtime llvm.amdgcn.fdot2",
	}},
}
