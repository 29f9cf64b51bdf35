;; The draws of a bootstrap and the sums of eight rows in each (bootstrap.ts).
;; Compiled to resample.wasm by scripts/kernels.mjs. No relaxed instructions, so every machine gives the same bits.
;;
;;     out[draw * 8 + row] = sum over queries of counts[draw * n + query] * values[query * 8 + row]
;; counts: bytes; all others f64. Queries are added in their order.
(module
  (import "kernel" "memory" (memory 1))

  ;; Adds n picks to each draw's counts: xoshiro128** from the state a, b, c, d as in random.ts, below(n) by rejection.
  (func (export "draw")
    (param $draws i32) (param $n i32) (param $favoured i32) (param $counts i32)
    (param $a i32) (param $b i32) (param $c i32) (param $d i32)
    (local $drawn i32) (local $shifted i32) (local $picks i32) (local $at i32)
    (block $done
      (loop $each
        (br_if $done (i32.eqz (local.get $draws)))
        (local.set $draws (i32.sub (local.get $draws) (i32.const 1)))
        (local.set $picks (local.get $n))
        (loop $pick
          (local.set $drawn
            (i32.mul (i32.rotl (i32.mul (local.get $b) (i32.const 5)) (i32.const 7)) (i32.const 9)))
          (local.set $shifted (i32.shl (local.get $b) (i32.const 9)))
          (local.set $c (i32.xor (local.get $c) (local.get $a)))
          (local.set $d (i32.xor (local.get $d) (local.get $b)))
          (local.set $b (i32.xor (local.get $b) (local.get $c)))
          (local.set $a (i32.xor (local.get $a) (local.get $d)))
          (local.set $c (i32.xor (local.get $c) (local.get $shifted)))
          (local.set $d (i32.rotl (local.get $d) (i32.const 11)))
          (br_if $pick (i32.lt_u (local.get $drawn) (local.get $favoured)))
          (local.set $at (i32.add (local.get $counts) (i32.rem_u (local.get $drawn) (local.get $n))))
          (i32.store8 (local.get $at) (i32.add (i32.load8_u (local.get $at)) (i32.const 1)))
          (local.set $picks (i32.sub (local.get $picks) (i32.const 1)))
          (br_if $pick (local.get $picks)))
        (local.set $counts (i32.add (local.get $counts) (local.get $n)))
        (br $each))))

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
