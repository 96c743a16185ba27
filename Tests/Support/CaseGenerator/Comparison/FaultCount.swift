public import AccessModel

/// Counts the cases that expose each planted fault.
public struct FaultCount: Sendable {
  /// The counts, in the order of ``PlantedFault/all``.
  public private(set) var counts = [Int](repeating: 0, count: PlantedFault.all.count)

  public init() {}

  public mutating func add(_ batch: CaseBatch, answers: [Errno]) {
    for (access, answer) in zip(batch.cases, answers) {
      for (index, fault) in PlantedFault.all.enumerated()
      where fault.isExposed(by: access, answer: answer) {
        counts[index] += 1
      }
    }
  }

  /// Adds the counts of another job.
  public mutating func add(_ other: FaultCount) {
    counts = zip(counts, other.counts).map { $0 + $1 }
  }

  /// The faults and their counts, lowest count first.
  public var table: [(fault: PlantedFault, count: Int)] {
    zip(PlantedFault.all, counts).map { (fault: $0, count: $1) }.sorted { $0.count < $1.count }
  }
}
