internal import LinuxDevices
internal import Synchronization

/// A descriptor that waits until somebody takes it; it is closed with the value.
final class KeptDescriptor: Sendable {
  private let descriptor: Mutex<DeviceDescriptor?>

  init(_ descriptor: consuming DeviceDescriptor) { self.descriptor = Mutex(consume descriptor) }

  /// The descriptor; `nil` from the second time on.
  func take() -> DeviceDescriptor? { descriptor.withLock { $0.take() } }
}
