import AccessModel
import CaseGenerator
import FoundationEssentials
import Testing

@Suite("Case generator")
struct GeneratorTests {
  @Test func `The same seed gives the same cases in any order`() {
    let generator = CaseGenerator(seed: 7)
    let later = generator.batch(3).cases
    _ = generator.batch(0)
    #expect(CaseGenerator(seed: 7).batch(3).cases == later)
  }

  @Test func `Another seed and another index give other cases`() {
    let cases = CaseGenerator(seed: 7).batch(3).cases
    #expect(CaseGenerator(seed: 8).batch(3).cases != cases)
    #expect(CaseGenerator(seed: 7).batch(4).cases != cases)
  }

  @Test func `Cases are numbered one after another`() {
    let generator = CaseGenerator(seed: 1)
    let ids = (0..<3).flatMap { generator.batch($0).cases.map(\.id) }
    #expect(ids == Array(0..<3 * generator.options.casesPerBatch))
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `Every path of a tree has its directory before it`(seed: UInt64) {
    let generator = CaseGenerator(seed: seed)
    for index in 0..<200 {
      var seen: Set<String> = []
      for node in generator.batch(index).nodes {
        let directory = node.path.lastIndex(of: "/").map { String(node.path[..<$0]) } ?? ""
        #expect(node.path == "/" || seen.contains(directory.isEmpty ? "/" : directory))
        #expect(seen.insert(node.path).inserted, "\(node.path) occurs twice")
      }
    }
  }

  @Test func `The corners occur`() {
    let generator = CaseGenerator(seed: 1)
    var corners: [String: Int] = [:]
    for index in 0..<400 {
      for (corner, occurs) in Self.corners(of: generator.batch(index)) {
        corners[corner, default: 0] += occurs ? 1 : 0
      }
    }
    for (corner, count) in corners { #expect(count >= 4, "\(corner) occurs \(count) times") }
  }

  @Test func `Cases survive the case format`() throws {
    let generator = CaseGenerator(seed: 3)
    for index in 0..<60 {
      let access = generator.batch(index).cases[index]
      let line = try JSONEncoder().encode(access)
      #expect(!line.contains(UInt8(ascii: "\n")))
      #expect(try JSONDecoder().decode(AccessCase.self, from: line) == access)
    }
  }

  private static func corners(of batch: CaseBatch) -> [(String, Bool)] {
    let subjects = batch.trials.map(\.subject)
    let named = batch.nodes.map { ($0.acl ?? []).compactMap(\.id) }
    return [
      ("64 groups or nearly", subjects.contains { $0.groups.count > 60 }),
      ("no group", subjects.contains { $0.groups.isEmpty }),
      (
        "a namespace that maps nothing",
        subjects.contains {
          $0.userNamespace?.users.ranges.isEmpty ?? false
        }
      ),
      (
        "a namespace with many ranges",
        subjects.contains {
          ($0.userNamespace?.users.ranges.count ?? 0) > 5
        }
      ),
      ("repeated entries", named.contains { Set($0).count < $0.count }),
      ("unsorted entries", named.contains { $0 != $0.sorted() }),
      ("an empty mask", batch.nodes.contains { $0.acl != nil && $0.mode & 0o070 == 0 }),
      ("a long list", named.contains { $0.count > 30 }),
      ("a chain of links", batch.nodes.count { $0.type == .symbolicLink } > 40),
      ("an id-mapped mount", batch.mounts.contains { $0.idmap != nil }),
      (
        "an id-mapped mount of a user namespace",
        batch.mounts.contains {
          $0.idmap != nil && $0.filesystemNamespace != nil
        }
      ),
      ("a mount on top of another", Set(batch.mounts.map(\.at)).count < batch.mounts.count),
      ("a mount below another", batch.mounts.contains { $0.at.hasSuffix("/m") }),
      ("a device list", subjects.contains { $0.deviceCgroup != nil }),
      (
        "a request that creates",
        batch.trials.contains { trial in
          trial.requests.contains { $0.creates }
        }
      ),
      ("the highest identifier", subjects.contains { $0.fsuid == 4_294_967_294 }),
    ]
  }
}
