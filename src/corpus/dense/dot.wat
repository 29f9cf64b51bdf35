;; Dot products for exact search (vectors.ts). Compiled to dot.wasm by scripts/kernels.mjs. No relaxed instructions, so
;; every machine gives the same bits.
(module
  (import "kernel" "memory" (memory 1))

  ;; out[q][i], f32: the dot product of the row whose number is list[i] (u32) and of query q. The queries begin at `query`,
  ;; one behind the other. A dot product is added in lane order: sixteen running sums, sum l over the places p with
  ;; p mod 16 = l, then s = (sums 0-3 + sums 4-7) + (sums 8-11 + sums 12-15), then (s0 + s1) + (s2 + s3). `width` is a
  ;; multiple of 16. The loops are one function because a call costs a third of a short product. Rows are read from four
  ;; quarters of the list in turn, because processors fetch several streams ahead faster than one.
  (func (export "dots") (param $rows i32) (param $list i32) (param $count i32) (param $width i32) (param $query i32)
    (param $queries i32) (param $out i32)
    (local $bytes i32) (local $quarter i32) (local $quarterEnd i32) (local $listEnd i32) (local $queriesEnd i32)
    (local $at i32) (local $a i32) (local $b i32) (local $end i32) (local $score i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $bytes (i32.shl (local.get $width) (i32.const 2)))
    (local.set $quarter (i32.and (i32.add (local.get $count) (i32.const 3)) (i32.const -4)))
    (local.set $quarterEnd (i32.add (local.get $list) (local.get $quarter)))
    (local.set $count (i32.shl (local.get $count) (i32.const 2)))
    (local.set $listEnd (i32.add (local.get $list) (local.get $count)))
    (local.set $queriesEnd (i32.add (local.get $query) (i32.mul (local.get $queries) (local.get $bytes))))
    (local.set $out (i32.sub (local.get $out) (local.get $list)))
    (block $done
      (loop $turn
        (br_if $done (i32.ge_u (local.get $list) (local.get $quarterEnd)))
        (local.set $at (local.get $list))
        (loop $row
          (local.set $b (local.get $query))
          (local.set $score (i32.add (local.get $out) (local.get $at)))
          (loop $product
            (local.set $a (i32.add (local.get $rows) (i32.mul (i32.load (local.get $at)) (local.get $bytes))))
            (local.set $end (i32.add (local.get $b) (local.get $bytes)))
            (local.set $sum0 (v128.const i32x4 0 0 0 0))
            (local.set $sum1 (v128.const i32x4 0 0 0 0))
            (local.set $sum2 (v128.const i32x4 0 0 0 0))
            (local.set $sum3 (v128.const i32x4 0 0 0 0))
            (loop $column
              (local.set $sum0 (f32x4.add (local.get $sum0)
                (f32x4.mul (v128.load (local.get $a)) (v128.load (local.get $b)))))
              (local.set $sum1 (f32x4.add (local.get $sum1)
                (f32x4.mul (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b)))))
              (local.set $sum2 (f32x4.add (local.get $sum2)
                (f32x4.mul (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b)))))
              (local.set $sum3 (f32x4.add (local.get $sum3)
                (f32x4.mul (v128.load offset=48 (local.get $a)) (v128.load offset=48 (local.get $b)))))
              (local.set $a (i32.add (local.get $a) (i32.const 64)))
              (br_if $column
                (i32.lt_u (local.tee $b (i32.add (local.get $b) (i32.const 64))) (local.get $end))))
            (local.set $sum0 (f32x4.add
              (f32x4.add (local.get $sum0) (local.get $sum1))
              (f32x4.add (local.get $sum2) (local.get $sum3))))
            (f32.store (local.get $score) (f32.add
              (f32.add (f32x4.extract_lane 0 (local.get $sum0)) (f32x4.extract_lane 1 (local.get $sum0)))
              (f32.add (f32x4.extract_lane 2 (local.get $sum0)) (f32x4.extract_lane 3 (local.get $sum0)))))
            (local.set $score (i32.add (local.get $score) (local.get $count)))
            (br_if $product (i32.lt_u (local.get $b) (local.get $queriesEnd))))
          (br_if $row
            (i32.lt_u (local.tee $at (i32.add (local.get $at) (local.get $quarter))) (local.get $listEnd))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $turn)))))
