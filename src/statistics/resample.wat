;; Sums of eight rows in each draw of a bootstrap (bootstrap.ts).
;; Compiled to resample.wasm by scripts/kernels.mjs. No relaxed instructions, so every machine gives the same bits.
;;
;;     out[draw * 8 + row] = sum over queries of counts[draw * n + query] * values[query * 8 + row]
;; counts: bytes; all others f64. Queries are added in their order.
(module
  (import "kernel" "memory" (memory 1))

  (func (export "sums")
    (param $draws i32) (param $n i32) (param $counts i32) (param $values i32) (param $out i32)
    (local $draw i32) (local $end i32) (local $at i32) (local $times v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $draw) (local.get $draws)))
        (local.set $a (v128.const f64x2 0 0))
        (local.set $b (v128.const f64x2 0 0))
        (local.set $c (v128.const f64x2 0 0))
        (local.set $d (v128.const f64x2 0 0))
        (local.set $at (local.get $values))
        (local.set $end (i32.add (local.get $counts) (local.get $n)))
        (block $summed
          (loop $query
            (br_if $summed (i32.ge_u (local.get $counts) (local.get $end)))
            (local.set $times (f64x2.splat (f64.convert_i32_u (i32.load8_u (local.get $counts)))))
            (local.set $a (f64x2.add (local.get $a) (f64x2.mul (local.get $times) (v128.load (local.get $at)))))
            (local.set $b (f64x2.add (local.get $b) (f64x2.mul (local.get $times) (v128.load offset=16 (local.get $at)))))
            (local.set $c (f64x2.add (local.get $c) (f64x2.mul (local.get $times) (v128.load offset=32 (local.get $at)))))
            (local.set $d (f64x2.add (local.get $d) (f64x2.mul (local.get $times) (v128.load offset=48 (local.get $at)))))
            (local.set $counts (i32.add (local.get $counts) (i32.const 1)))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br $query)))
        (v128.store (local.get $out) (local.get $a))
        (v128.store offset=16 (local.get $out) (local.get $b))
        (v128.store offset=32 (local.get $out) (local.get $c))
        (v128.store offset=48 (local.get $out) (local.get $d))
        (local.set $out (i32.add (local.get $out) (i32.const 64)))
        (local.set $draw (i32.add (local.get $draw) (i32.const 1)))
        (br $each)))))
