;; Sums of impacts by row, and their maxima by block (sums.ts). Compiled to sums.wasm by scripts/kernels.mjs.
(module
  (import "kernel" "memory" (memory 1))

  ;; sums[rows[i]] += weight * impacts[i] for `count` postings of different rows. sums, impacts: f64; rows: u32.
  (func (export "add") (param $sums i32) (param $rows i32) (param $impacts i32) (param $count i32) (param $weight f64)
    (local $end i32) (local $sum i32)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $one
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $sum (i32.add (local.get $sums) (i32.shl (i32.load (local.get $rows)) (i32.const 3))))
        (f64.store (local.get $sum) (f64.add (f64.load (local.get $sum))
          (f64.mul (local.get $weight) (f64.load (local.get $impacts)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $impacts (i32.add (local.get $impacts) (i32.const 8)))
        (br $one))))

  ;; Writes the `depth` highest of `count` sums to `heap`, best first, and returns their number: entries of 16 bytes, the sum
  ;; and its row. Sums of -0 are left out. depth: above 0. While entries are gathered, the first one is the worst.
  (func (export "best") (param $sums i32) (param $count i32) (param $heap i32) (param $depth i32) (result i32)
    (local $at i32) (local $end i32) (local $last i32) (local $bar i64) (local $bars v128) (local $entry v128)
    (local.set $at (i32.add (local.get $sums) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $end (local.get $heap))
    (local.set $last (i32.add (local.get $heap) (i32.shl (local.get $depth) (i32.const 4))))
    (block $scanned
      (loop $scan
        ;; Bits are compared as integers: -0 is the lowest of all, and a sum below 0 is above it. From the last row down: of equal
        ;; sums the first one stays.
        (local.set $bar (select (i64.load (local.get $heap)) (i64.reinterpret_f64 (f64.const -0))
          (i32.and (i32.eq (local.get $end) (local.get $last)) (f64.gt (f64.load (local.get $heap)) (f64.const 0)))))
        (local.set $bars (i64x2.splat (local.get $bar)))
        (block $near
          (loop $eight
            (br_if $near (i32.lt_u (i32.sub (local.get $at) (local.get $sums)) (i32.const 64)))
            (local.set $at (i32.sub (local.get $at) (i32.const 64)))
            (br_if $eight (i32.eqz (v128.any_true (v128.or
              (v128.or (i64x2.gt_s (v128.load (local.get $at)) (local.get $bars))
                (i64x2.gt_s (v128.load offset=16 (local.get $at)) (local.get $bars)))
              (v128.or (i64x2.gt_s (v128.load offset=32 (local.get $at)) (local.get $bars))
                (i64x2.gt_s (v128.load offset=48 (local.get $at)) (local.get $bars)))))))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))))
        (loop $one
          (br_if $scanned (i32.eq (local.get $at) (local.get $sums)))
          (local.set $at (i32.sub (local.get $at) (i32.const 8)))
          (br_if $one (i64.le_s (i64.load (local.get $at)) (local.get $bar))))
        (local.set $entry (i64x2.replace_lane 1 (v128.load64_zero (local.get $at))
          (i64.extend_i32_u (i32.shr_u (i32.sub (local.get $at) (local.get $sums)) (i32.const 3)))))
        (if (i32.lt_u (local.get $end) (local.get $last))
          (then
            (v128.store (local.get $end) (local.get $entry))
            (local.set $end (i32.add (local.get $end) (i32.const 16)))
            (if (i32.eq (local.get $end) (local.get $last)) (then (call $order (local.get $heap) (local.get $end)))))
          (else (if (f64.gt (f64.load (local.get $at)) (f64.load (local.get $heap)))
            (then (call $sink (local.get $heap) (local.get $heap) (local.get $end) (local.get $entry))))))
        (br $scan)))
    (if (i32.lt_u (local.get $end) (local.get $last)) (then (call $order (local.get $heap) (local.get $end))))
    ;; The worst one goes to the end, then the worst of the others.
    (local.set $last (local.get $end))
    (block $sorted
      (loop $next
        (br_if $sorted (i32.le_u (local.get $last) (local.get $heap)))
        (local.set $last (i32.sub (local.get $last) (i32.const 16)))
        (local.set $entry (v128.load (local.get $last)))
        (v128.store (local.get $last) (v128.load (local.get $heap)))
        (call $sink (local.get $heap) (local.get $heap) (local.get $last) (local.get $entry))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $end) (local.get $heap)) (i32.const 4)))

  ;; Makes a heap of the entries up to `end`.
  (func $order (param $heap i32) (param $end i32)
    (local $at i32)
    (local.set $at (local.get $end))
    (block $done
      (loop $next
        (br_if $done (i32.le_u (local.get $at) (local.get $heap)))
        (local.set $at (i32.sub (local.get $at) (i32.const 16)))
        (call $sink (local.get $heap) (local.get $at) (local.get $end) (v128.load (local.get $at)))
        (br $next))))

  ;; Puts an entry at `at` or below: no entry is worse than the one above it. Of equal sums the lower row is worse.
  (func $sink (param $heap i32) (param $at i32) (param $end i32) (param $entry v128)
    (local $child i32) (local $next i32) (local $least f64) (local $sum f64)
    (local.set $sum (f64x2.extract_lane 0 (local.get $entry)))
    (block $done
      (loop $down
        (local.set $child (i32.add (i32.sub (i32.shl (local.get $at) (i32.const 1)) (local.get $heap)) (i32.const 16)))
        (br_if $done (i32.ge_u (local.get $child) (local.get $end)))
        (local.set $next (i32.add (local.get $child) (i32.const 16)))
        (local.set $least (f64.load (local.get $child)))
        (if (i32.lt_u (local.get $next) (local.get $end))
          (then (if (i32.or (f64.lt (f64.load (local.get $next)) (local.get $least))
              (i32.and (f64.eq (f64.load (local.get $next)) (local.get $least))
                (i32.lt_u (i32.load offset=8 (local.get $next)) (i32.load offset=8 (local.get $child)))))
            (then
              (local.set $child (local.get $next))
              (local.set $least (f64.load (local.get $child)))))))
        (br_if $done (i32.or (f64.gt (local.get $least) (local.get $sum))
          (i32.and (f64.eq (local.get $least) (local.get $sum))
            (i32.ge_u (i32.load offset=8 (local.get $child)) (i32x4.extract_lane 2 (local.get $entry))))))
        (v128.store (local.get $at) (v128.load (local.get $child)))
        (local.set $at (local.get $child))
        (br $down)))
    (v128.store (local.get $at) (local.get $entry))))
