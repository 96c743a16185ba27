internal import CLinux

/// A process's descriptor that refers to a device.
struct SeenDescriptor: Sendable {
  /// The process, or the thread with its own descriptors.
  var owner: Int32
  var number: UInt32
  var device: NodeNumber

  /// The maximum number of descriptors to compare, which exceeds a camera's usual number of users.
  private static let most = 64

  /// Returns the minimum number of open files behind some descriptors, or `nil` if there are too
  /// many.
  ///
  /// Copies that dup(2) and fork(2) create refer to the same open file (kcmp(2)). Descriptors that
  /// cannot be compared count as copies.
  static func fileCount(_ descriptors: [SeenDescriptor]) -> Int? {
    guard descriptors.count <= most else { return nil }
    var files: [SeenDescriptor] = []
    for descriptor in descriptors where files.allSatisfy({ $0.comparison(with: descriptor) > 0 }) {
      files.append(descriptor)
    }
    return files.count
  }

  /// A descriptor, and the process that contains its owner.
  typealias Held = (process: Int32, descriptor: SeenDescriptor)

  /// Groups the processes that share an open file.
  ///
  /// - Parameter descriptors: Descriptors of processes; a process may have several.
  /// - Returns: The lowest process ID in the group of each process that shares a file.
  static func sharing(_ descriptors: [Held]) -> [Int32: Int32] {
    guard descriptors.count <= most else { return [:] }
    let descriptors = descriptors.sorted { $0.process < $1.process }
    var least: [Int32: Int32] = [:]
    for (index, one) in descriptors.enumerated() {
      for other in descriptors[(index + 1)...]
      where other.process != one.process && one.descriptor.comparison(with: other.descriptor) == 0 {
        // Either process may already be in a group because of another file.
        let groups = [least[one.process] ?? one.process, least[other.process] ?? other.process]
        let first = min(groups[0], groups[1])
        for (process, group) in least where groups.contains(group) { least[process] = first }
        (least[one.process], least[other.process]) = (first, first)
      }
    }
    return least
  }

  /// Returns 0 if both refer to the same open file, a positive number if not, and a negative number
  /// if unknown.
  private func comparison(with other: SeenDescriptor) -> Int32 {
    guard device == other.device else { return 1 }
    return clinux_compare_files(owner, other.owner, UInt(number), UInt(other.number))
  }
}
