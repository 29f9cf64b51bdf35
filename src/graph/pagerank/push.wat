;; One round of forward push (push.ts). Compiled to push.wasm by scripts/kernels.mjs. Only plain float64 arithmetic, so
;; every machine gives the same bits.
;;
;; For each reached node u in the order of being reached, while fewer than `most` edges were looked at:
;;     mass = residual[u]; nothing is done where mass <= epsilon * strength[u]
;;     residual[u] = 0; estimate[u] += (1 - damping) * mass
;;     share = damping * mass / divisor[u]; residual[w] += share * weight for each edge; a new w is reached, last of all
;; Where strength[u] is 0, damping * mass is lost instead. A residual of -1 marks a node that is not reached.
;; offsets, touched: u32; edges: pairs of u32 target and f32 weight; all others f64.
;; state: u32 reached nodes, u32 nodes pushed in this round, f64 edges looked at, f64 lost mass.
(module
  (import "kernel" "memory" (memory 1))

  (func (export "round")
    (param $epsilon f64) (param $damping f64) (param $most f64) (param $state i32) (param $touched i32)
    (param $offsets i32) (param $edges i32) (param $strength i32) (param $divisor i32)
    (param $estimate i32) (param $residual i32)
    (local $next i32) (local $last i32) (local $pushed i32) (local $seen f64) (local $lost f64)
    (local $u i32) (local $at i32) (local $end i32) (local $place i32)
    (local $mass f64) (local $strong f64) (local $share f64) (local $old f64)
    (local.set $next (local.get $touched))
    (local.set $last (i32.add (local.get $touched) (i32.shl (i32.load (local.get $state)) (i32.const 2))))
    (local.set $seen (f64.load offset=8 (local.get $state)))
    (local.set $lost (f64.load offset=16 (local.get $state)))
    (block $done
      (loop $node
        (br_if $done (i32.ge_u (local.get $next) (local.get $last)))
        (br_if $done (i32.eqz (f64.lt (local.get $seen) (local.get $most))))
        (local.set $u (i32.load (local.get $next)))
        (local.set $next (i32.add (local.get $next) (i32.const 4)))
        (local.set $place (i32.shl (local.get $u) (i32.const 3)))
        (local.set $at (i32.add (local.get $residual) (local.get $place)))
        (local.set $mass (f64.load (local.get $at)))
        (local.set $strong (f64.load (i32.add (local.get $strength) (local.get $place))))
        (br_if $node (f64.le (local.get $mass) (f64.mul (local.get $epsilon) (local.get $strong))))
        (local.set $pushed (i32.add (local.get $pushed) (i32.const 1)))
        (f64.store (local.get $at) (f64.const 0))
        (local.set $at (i32.add (local.get $estimate) (local.get $place)))
        (f64.store (local.get $at) (f64.add (f64.load (local.get $at))
          (f64.mul (f64.sub (f64.const 1) (local.get $damping)) (local.get $mass))))
        (local.set $share (f64.mul (local.get $damping) (local.get $mass)))
        (if (f64.eq (local.get $strong) (f64.const 0))
          (then
            (local.set $lost (f64.add (local.get $lost) (local.get $share)))
            (br $node)))
        (local.set $share (f64.div (local.get $share) (f64.load (i32.add (local.get $divisor) (local.get $place)))))
        (local.set $place (i32.add (local.get $offsets) (i32.shl (local.get $u) (i32.const 2))))
        (local.set $at (i32.add (local.get $edges) (i32.shl (i32.load (local.get $place)) (i32.const 3))))
        (local.set $end (i32.add (local.get $edges) (i32.shl (i32.load offset=4 (local.get $place)) (i32.const 3))))
        (local.set $seen (f64.add (local.get $seen) (f64.convert_i32_u
          (i32.shr_u (i32.sub (local.get $end) (local.get $at)) (i32.const 3)))))
        (block $spread
          (loop $edge
            (br_if $spread (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $place (i32.add (local.get $residual) (i32.shl (i32.load (local.get $at)) (i32.const 3))))
            (local.set $old (f64.load (local.get $place)))
            (if (f64.lt (local.get $old) (f64.const 0))
              (then
                (local.set $old (f64.const 0))
                (i32.store (local.get $last) (i32.load (local.get $at)))
                (local.set $last (i32.add (local.get $last) (i32.const 4)))))
            (f64.store (local.get $place) (f64.add (local.get $old)
              (f64.mul (local.get $share) (f64.promote_f32 (f32.load offset=4 (local.get $at))))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br $edge)))
        (br $node)))
    (i32.store (local.get $state) (i32.shr_u (i32.sub (local.get $last) (local.get $touched)) (i32.const 2)))
    (i32.store offset=4 (local.get $state) (local.get $pushed))
    (f64.store offset=8 (local.get $state) (local.get $seen))
    (f64.store offset=16 (local.get $state) (local.get $lost))))
