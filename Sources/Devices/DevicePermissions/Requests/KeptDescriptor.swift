internal import LinuxDevices
internal import Synchronization

/// A descriptor that can be taken once, and is closed with this object otherwise.
final class KeptDescriptor: Sendable {
  private let descriptor: Mutex<DeviceDescriptor?>

  init(_ descriptor: consuming DeviceDescriptor) { self.descriptor = Mutex(consume descriptor) }

  /// Returns the descriptor, or `nil` if it has already been taken.
  func take() -> DeviceDescriptor? { descriptor.withLock { $0.take() } }
}
