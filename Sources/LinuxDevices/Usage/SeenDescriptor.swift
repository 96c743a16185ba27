internal import CLinux

/// A descriptor of a process that leads to a device.
struct SeenDescriptor: Sendable {
  /// The process, or the thread that has descriptors of its own.
  var owner: Int32
  var number: UInt32
  var device: NodeNumber

  /// More programs have one camera open than a person has.
  private static let most = 64

  /// How many open files some descriptors lead to, at least; `nil` where there are too many.
  ///
  /// Copies, as dup(2) and fork(2) make them, lead to one (kcmp(2)). Those that cannot be told apart count
  /// as one.
  static func fileCount(_ descriptors: [SeenDescriptor]) -> Int? {
    guard descriptors.count <= most else { return nil }
    var files: [SeenDescriptor] = []
    for descriptor in descriptors where files.allSatisfy({ $0.isOfOtherFile(than: descriptor) }) {
      files.append(descriptor)
    }
    return files.count
  }

  private func isOfOtherFile(than other: SeenDescriptor) -> Bool {
    device != other.device
      || clinux_compare_files(owner, other.owner, UInt(number), UInt(other.number)) > 0
  }
}
