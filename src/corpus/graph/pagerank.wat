;; Passes of the conjugate gradient method of pagerank.ts over a graph. Compiled to pagerank.wasm by scripts/kernels.mjs. No
;; relaxed instructions, so every machine gives the same bits.
;;
;;     backward  rows from the last to the first:  p[i] = r[i] + beta p[i],  u[i] = g[i] (p[i] + damping g[i] sum weight u[target])
;;     forward   rows from the first to the last:  t = h[i] u[i],  w = p[i] - t + damping g[i] sum weight v[target],  v[i] = g[i] w,
;;               result += p[i] (t + w)
;;
;; damping * g[i] * g[j] * weight is an entry of the matrix; h = 1 / g. Every row has an even number of entries: its sum is that
;; of its even places plus that of its odd ones. ends: u32, number of entries up to the end of each row, in the order of the
;; pass; targets: u32; all others f64.
(module
  (import "kernel" "memory" (memory 1))

  (func (export "backward") (param $nodes i32) (param $ends i32) (param $targets i32) (param $weights i32)
    (param $damping f64) (param $g i32) (param $p i32) (param $r i32) (param $u i32) (param $beta f64)
    (local $first i32) (local $end i32) (local $at i32) (local $sum v128) (local $factor f64) (local $x f64)
    (local.set $first (local.get $targets))
    (local.set $at (i32.shl (local.get $nodes) (i32.const 3)))
    (block $done
      (loop $node
        (br_if $done (i32.eqz (local.get $at)))
        (local.set $at (i32.sub (local.get $at) (i32.const 8)))
        (local.set $end (i32.add (local.get $first) (i32.shl (i32.load (local.get $ends)) (i32.const 2))))
        (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
        (local.set $sum (v128.const f64x2 0 0))
        (block $summed
          (loop $two
            (br_if $summed (i32.ge_u (local.get $targets) (local.get $end)))
            (local.set $sum (f64x2.add (local.get $sum) (f64x2.mul (v128.load (local.get $weights)) (v128.load64_lane 1
              (i32.add (local.get $u) (i32.shl (i32.load offset=4 (local.get $targets)) (i32.const 3)))
              (v128.load64_zero (i32.add (local.get $u) (i32.shl (i32.load (local.get $targets)) (i32.const 3))))))))
            (local.set $targets (i32.add (local.get $targets) (i32.const 8)))
            (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
            (br $two)))
        (local.set $factor (f64.load (i32.add (local.get $g) (local.get $at))))
        (local.set $x (f64.add (f64.load (i32.add (local.get $r) (local.get $at)))
          (f64.mul (local.get $beta) (f64.load (i32.add (local.get $p) (local.get $at))))))
        (f64.store (i32.add (local.get $p) (local.get $at)) (local.get $x))
        (f64.store (i32.add (local.get $u) (local.get $at)) (f64.mul (local.get $factor) (f64.add (local.get $x)
          (f64.mul (f64.mul (local.get $damping) (local.get $factor))
            (f64.add (f64x2.extract_lane 0 (local.get $sum)) (f64x2.extract_lane 1 (local.get $sum)))))))
        (br $node))))

  (func (export "forward") (param $nodes i32) (param $ends i32) (param $targets i32) (param $weights i32)
    (param $damping f64) (param $g i32) (param $h i32) (param $p i32) (param $u i32) (param $v i32) (result f64)
    (local $first i32) (local $end i32) (local $at i32) (local $last i32) (local $sum v128) (local $factor f64)
    (local $x f64) (local $t f64) (local $w f64) (local $product f64)
    (local.set $first (local.get $targets))
    (local.set $last (i32.shl (local.get $nodes) (i32.const 3)))
    (block $done
      (loop $node
        (br_if $done (i32.eq (local.get $at) (local.get $last)))
        (local.set $end (i32.add (local.get $first) (i32.shl (i32.load (local.get $ends)) (i32.const 2))))
        (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
        (local.set $sum (v128.const f64x2 0 0))
        (block $summed
          (loop $two
            (br_if $summed (i32.ge_u (local.get $targets) (local.get $end)))
            (local.set $sum (f64x2.add (local.get $sum) (f64x2.mul (v128.load (local.get $weights)) (v128.load64_lane 1
              (i32.add (local.get $v) (i32.shl (i32.load offset=4 (local.get $targets)) (i32.const 3)))
              (v128.load64_zero (i32.add (local.get $v) (i32.shl (i32.load (local.get $targets)) (i32.const 3))))))))
            (local.set $targets (i32.add (local.get $targets) (i32.const 8)))
            (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
            (br $two)))
        (local.set $factor (f64.load (i32.add (local.get $g) (local.get $at))))
        (local.set $x (f64.load (i32.add (local.get $p) (local.get $at))))
        (local.set $t (f64.mul (f64.load (i32.add (local.get $h) (local.get $at)))
          (f64.load (i32.add (local.get $u) (local.get $at)))))
        (local.set $w (f64.add (f64.sub (local.get $x) (local.get $t))
          (f64.mul (f64.mul (local.get $damping) (local.get $factor))
            (f64.add (f64x2.extract_lane 0 (local.get $sum)) (f64x2.extract_lane 1 (local.get $sum))))))
        (f64.store (i32.add (local.get $v) (local.get $at)) (f64.mul (local.get $factor) (local.get $w)))
        (local.set $product (f64.add (local.get $product) (f64.mul (local.get $x) (f64.add (local.get $t) (local.get $w)))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $node)))
    (local.get $product)))
