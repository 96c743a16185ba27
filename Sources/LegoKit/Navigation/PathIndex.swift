/// Where the screens of a path stand, by the hashes of their ids.
///
/// The newest positions are kept as they come, and searched one by one. When they are many, they
/// become a run, which has a table. Runs are joined with those before them that are no longer, so
/// that there are few. A pop leaves the tables as they are: what they say of a position that was
/// popped since is not looked at. So a push costs the same at every depth, taken over many, a pop
/// always, and copies share their runs.
struct PathIndex: Sendable {
  private static let limit = 32

  /// Tables of positions from the bottom on, each valid up to the start of the next.
  private var runs: [PathRun] = []
  /// The hashes of the positions above the runs; those beyond the count were popped.
  private var recent: [Int] = []
  /// The first position above the runs.
  private var start = 0
  private(set) var count = 0

  init() {}

  init(_ hashes: some Sequence<Int>) {
    for hash in hashes { push(hash) }
  }

  /// Notes the hash of the next position.
  mutating func push(_ hash: Int) {
    let place = count - start
    if place < recent.count { recent.removeSubrange(place...) }
    recent.append(hash)
    count += 1
    if recent.count == Self.limit { makeRun() }
  }

  /// Forgets all positions from one on.
  mutating func pop(to newCount: Int) {
    count = newCount
    guard newCount < start else { return }
    recent = []
    start = newCount
    while let last = runs.last, last.start >= newCount { runs.removeLast() }
    // A burst must not keep its memory for good.
    if let last = runs.last, last.count > 4 * (newCount - last.start) + 2 * Self.limit {
      runs[runs.count - 1] = last.prefix(newCount - last.start)
    }
  }

  /// The position with a hash that passes a test.
  func position(of hash: Int, where matches: (Int) -> Bool) -> Int? {
    var position = count - 1
    while position >= start {
      if recent[position - start] == hash, matches(position) { return position }
      position -= 1
    }
    var end = start
    for run in runs.reversed() {
      if let position = run.position(of: hash, below: end, where: matches) { return position }
      end = run.start
    }
    return nil
  }

  private mutating func makeRun() {
    var first = start
    var hashes = recent
    while let last = runs.last, first - last.start <= hashes.count {
      hashes = last.hashes(first - last.start) + hashes
      first = last.start
      runs.removeLast()
    }
    runs.append(PathRun(hashes, from: first))
    recent = []
    start = count
  }
}

/// Where positions stand that follow one another, by their hashes.
final class PathRun: Sendable {
  /// The first position.
  let start: Int
  private let hashes: [Int]
  /// Offsets of positions by the last digits of their hashes, or where these are taken by one of
  /// the next places; -1 where there is none.
  private let places: [Int32]

  init(_ hashes: [Int], from start: Int) {
    self.start = start
    self.hashes = hashes
    var size = 4
    while size < 2 * hashes.count { size *= 2 }
    var places = [Int32](repeating: -1, count: size)
    for offset in hashes.indices {
      var place = hashes[offset] & (size - 1)
      while places[place] >= 0 { place = (place + 1) & (size - 1) }
      places[place] = Int32(truncatingIfNeeded: offset)
    }
    self.places = places
  }

  var count: Int { hashes.count }

  /// The hashes of the first positions.
  func hashes(_ count: Int) -> [Int] { Array(hashes[..<count]) }

  /// A run of the first positions alone.
  func prefix(_ count: Int) -> PathRun { PathRun(hashes(count), from: start) }

  /// The position with a hash that passes a test.
  func position(of hash: Int, below end: Int, where matches: (Int) -> Bool) -> Int? {
    var place = hash & (places.count - 1)
    while places[place] >= 0 {
      let offset = Int(places[place])
      if hashes[offset] == hash, start + offset < end, matches(start + offset) {
        return start + offset
      }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }
}
