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
    for descriptor in descriptors where files.allSatisfy({ $0.comparison(with: descriptor) > 0 }) {
      files.append(descriptor)
    }
    return files.count
  }

  /// A descriptor, with the process that has it, or whose thread has it.
  typealias Held = (process: Int32, descriptor: SeenDescriptor)

  /// Which processes have an open file in common.
  ///
  /// - Parameter descriptors: Descriptors of processes, which may have several.
  /// - Returns: Each of these processes, with the one of its group that has the least number.
  static func sharing(_ descriptors: [Held]) -> [Int32: Int32] {
    guard descriptors.count <= most else { return [:] }
    let descriptors = descriptors.sorted { $0.process < $1.process }
    var least: [Int32: Int32] = [:]
    for (index, one) in descriptors.enumerated() {
      for other in descriptors[(index + 1)...]
      where other.process != one.process && one.descriptor.comparison(with: other.descriptor) == 0 {
        // Each may be in a group already, by another file.
        let groups = [least[one.process] ?? one.process, least[other.process] ?? other.process]
        let first = min(groups[0], groups[1])
        for (process, group) in least where groups.contains(group) { least[process] = first }
        (least[one.process], least[other.process]) = (first, first)
      }
    }
    return least
  }

  /// 0 where both lead to one open file, more where they do not, less where that cannot be told.
  private func comparison(with other: SeenDescriptor) -> Int32 {
    guard device == other.device else { return 1 }
    return clinux_compare_files(owner, other.owner, UInt(number), UInt(other.number))
  }
}
