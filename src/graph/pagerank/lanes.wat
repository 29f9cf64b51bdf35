;; What goes into one lane of a sweep's vectors, and what comes out of it (lanes.ts): their entries stand `stride` bytes
;; apart. Compiled to lanes.wasm by scripts/kernels.mjs. Plain arithmetic, so every machine gives the same bits.
;; rows, found: u32; rough: f32; all others f64.
(module
  (import "kernel" "memory" (memory 1))

  ;; lane[p] += share * weights[rows[p]] * inverse[p], for `count` places p
  (func (export "lay")
    (param $lane i32) (param $stride i32) (param $count i32)
    (param $rows i32) (param $weights i32) (param $inverse i32) (param $share f64)
    (local $last i32)
    (local.set $last (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $place
        (br_if $done (i32.ge_u (local.get $rows) (local.get $last)))
        (f64.store (local.get $lane) (f64.add (f64.load (local.get $lane))
          (f64.mul
            (f64.mul (local.get $share)
              (f64.load (i32.add (local.get $weights) (i32.shl (i32.load (local.get $rows)) (i32.const 3)))))
            (f64.load (local.get $inverse)))))
        (local.set $lane (i32.add (local.get $lane) (local.get $stride)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $inverse (i32.add (local.get $inverse) (i32.const 8)))
        (br $place))))

  ;; The same for a lane of float32, which is added to in float64.
  (func (export "layRough")
    (param $lane i32) (param $stride i32) (param $count i32)
    (param $rows i32) (param $weights i32) (param $inverse i32) (param $share f64)
    (local $last i32)
    (local.set $last (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $place
        (br_if $done (i32.ge_u (local.get $rows) (local.get $last)))
        (f32.store (local.get $lane) (f32.demote_f64 (f64.add (f64.promote_f32 (f32.load (local.get $lane)))
          (f64.mul
            (f64.mul (local.get $share)
              (f64.load (i32.add (local.get $weights) (i32.shl (i32.load (local.get $rows)) (i32.const 3)))))
            (f64.load (local.get $inverse))))))
        (local.set $lane (i32.add (local.get $lane) (local.get $stride)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $inverse (i32.add (local.get $inverse) (i32.const 8)))
        (br $place))))

  ;; lane[p] = from[p], whose entries stand `fromStride` bytes apart: 0 for one number everywhere
  (func (export "copy")
    (param $lane i32) (param $stride i32) (param $count i32) (param $from i32) (param $fromStride i32)
    (block $done
      (loop $place
        (br_if $done (i32.eqz (local.get $count)))
        (f64.store (local.get $lane) (f64.load (local.get $from)))
        (local.set $lane (i32.add (local.get $lane) (local.get $stride)))
        (local.set $from (i32.add (local.get $from) (local.get $fromStride)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $place))))

  ;; Every lane of a float32 vector from one of float64: to[p * lanes + l] = from[p]
  (func (export "spread")
    (param $to i32) (param $lanes i32) (param $count i32) (param $from i32)
    (local $value f32) (local $end i32)
    (local.set $end (local.get $to))
    (block $done
      (loop $place
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $value (f32.demote_f64 (f64.load (local.get $from))))
        (local.set $end (i32.add (local.get $end) (i32.shl (local.get $lanes) (i32.const 2))))
        (loop $lane
          (f32.store (local.get $to) (local.get $value))
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (br_if $lane (i32.lt_u (local.get $to) (local.get $end))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $place))))

  ;; lane[p] = rough[p], or 0 where that is no finite number
  (func (export "take")
    (param $lane i32) (param $stride i32) (param $count i32) (param $rough i32) (param $roughStride i32)
    (local $value f32)
    (block $done
      (loop $place
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $value (f32.load (local.get $rough)))
        (f64.store (local.get $lane) (f64.promote_f32 (select
          (local.get $value)
          (f32.const 0)
          (f32.eq (f32.sub (local.get $value) (local.get $value)) (f32.const 0)))))
        (local.set $lane (i32.add (local.get $lane) (local.get $stride)))
        (local.set $rough (i32.add (local.get $rough) (local.get $roughStride)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $place))))

  ;; scores[i] = factors[i] * lane[i]
  (func (export "score")
    (param $lane i32) (param $stride i32) (param $count i32) (param $factors i32) (param $scores i32)
    (local $last i32)
    (local.set $last (i32.add (local.get $scores) (i32.shl (local.get $count) (i32.const 3))))
    (block $done
      (loop $place
        (br_if $done (i32.ge_u (local.get $scores) (local.get $last)))
        (f64.store (local.get $scores) (f64.mul (f64.load (local.get $factors)) (f64.load (local.get $lane))))
        (local.set $lane (i32.add (local.get $lane) (local.get $stride)))
        (local.set $factors (i32.add (local.get $factors) (i32.const 8)))
        (local.set $scores (i32.add (local.get $scores) (i32.const 8)))
        (br $place))))

  ;; The i with scores[i] + bound * slack[i] >= floor, ascending, in `found`; returns how many.
  (func (export "reaching")
    (param $scores i32) (param $slack i32) (param $count i32) (param $bound f64) (param $floor f64) (param $found i32)
    (result i32)
    (local $i i32) (local $next i32)
    (local.set $next (local.get $found))
    (block $done
      (loop $score
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        ;; Written in any case, and kept by moving on: no branch to foresee.
        (i32.store (local.get $next) (local.get $i))
        (local.set $next (i32.add (local.get $next) (i32.shl
          (f64.ge
            (f64.add (f64.load (local.get $scores)) (f64.mul (local.get $bound) (f64.load (local.get $slack))))
            (local.get $floor))
          (i32.const 2))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 8)))
        (local.set $slack (i32.add (local.get $slack) (i32.const 8)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $score)))
    (i32.shr_u (i32.sub (local.get $next) (local.get $found)) (i32.const 2))))
