internal import CLinux
internal import Glibc

/// A process that is held by a descriptor, so that its number cannot come to mean another.
package struct HeldProcess: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  /// Holds the process that has a number now; `nil` where none has it (pidfd_open(2)).
  package init?(_ process: UInt32) {
    guard let number = Int32(exactly: process), number > 0,
      let descriptor = try? OwnedDescriptor(negated: clinux_process(number))
    else { return nil }
    self.descriptor = descriptor
  }

  /// Whether it has ended.
  package var hasEnded: Bool {
    var event = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&event, 1, 0) == 1
  }
}
