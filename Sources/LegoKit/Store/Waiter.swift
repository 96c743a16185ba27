/// A task that waits for all that a build caused.
struct Waiter: Sendable {
  let root: UInt64
  let continuation: CheckedContinuation<Void, Never>
}
