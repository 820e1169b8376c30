; A kernel in the shape that clang 21 gives it, by hand: debug records, a calling convention for kernels.
source_filename = "add.cu"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.pair = type { i32, [2 x float] }

@tile = internal addrspace(3) global [256 x float] undef, align 4, !dbg !5
@weights = internal addrspace(4) constant [2 x i32] [i32 3, i32 -1], align 4
@.str = private unnamed_addr constant [3 x i8] c"a\0A\00", align 1

define dso_local ptx_kernel void @add(ptr noundef writeonly captures(none) %out, ptr noundef readonly captures(none) align 4 %in, i32 noundef range(i32 0, 1000) %n) local_unnamed_addr #0 !dbg !8 {
entry:
    #dbg_value(i32 %n, !13, !DIExpression(), !15)
  %tid = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext nneg i32 %tid to i64, !dbg !15
  %narrow = trunc nuw nsw i64 %wide to i32
  %less = icmp samesign ult i32 %narrow, %n, !dbg !15
  br i1 %less, label %then, label %"the end", !prof !16

then:                                             ; preds = %entry
  %at = getelementptr inbounds nuw float, ptr %in, i64 %wide
  %x = load float, ptr %at, align 4, !dbg !15, !tbaa !17
  %twice = fmul contract float %x, 2.000000e+00
  %where = or disjoint i64 %wide, 0
  %to = getelementptr inbounds nuw float, ptr %out, i64 %where
  store float %twice, ptr %to, align 4, !dbg !15
  %old = atomicrmw uinc_wrap ptr %out, i32 7 syncscope("device") monotonic, align 4
  %v = shufflevector <2 x i32> splat (i32 1), <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 0>
  br label %"the end"

"the end":                                        ; preds = %then, %entry
  %phi = phi i32 [ 0, %entry ], [ %old, %then ]
  ret void, !dbg !15
}

declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "target-cpu"="sm_80" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.ident = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang version 21.1.0", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "add.cu", directory: "/src")
!2 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!3 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!4 = !{!"clang version 21.1.0"}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "tile", scope: !8, file: !1, line: 2, type: !7, isLocal: true, isDefinition: true)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !2, size: 8192, elements: !9)
!8 = distinct !DISubprogram(name: "add", linkageName: "add", scope: !1, file: !1, line: 3, type: !10, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!9 = !{!11}
!10 = !DISubroutineType(types: !14)
!11 = !DISubrange(count: 256)
!12 = !{!13}
!13 = !DILocalVariable(name: "n", arg: 3, scope: !8, file: !1, line: 3, type: !3)
!14 = !{null}
!15 = !DILocation(line: 7, column: 12, scope: !8)
!16 = !{!"branch_weights", i32 1, i32 2000}
!17 = !{!18, !18, i64 0}
!18 = !{!"float", !19, i64 0}
!19 = !{!"omnipotent char", !20, i64 0}
!20 = !{!"Simple C++ TBAA"}
