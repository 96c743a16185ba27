import AccessModel
import CaseGenerator
import FoundationEssentials
import Testing

@Suite("Kernel oracle", .requiresKernelOracle)
struct OracleTests {
  private static var simple: AccessCase {
    KernelScene.device(mode: 0o640, owner: (0, 44), subject: Subject(uid: 1000, gid: 1000))
  }

  @Test func `A tree that cannot be built is an error and the next one is answered`() throws {
    let oracle = try KernelOracle()
    var impossible = Self.simple
    impossible.nodes.append(
      Node(path: "/missing/child", type: .regular, mode: 0o600, uid: 0, gid: 0))
    #expect(throws: OracleError.self) { try oracle.answers(to: CaseBatch(impossible)) }
    #expect(try oracle.answers(to: CaseBatch(Self.simple)) == [13])
  }

  @Test func `Credentials that cannot be taken are an error`() throws {
    let oracle = try KernelOracle()
    var impossible = Self.simple
    // A capability is effective without being permitted.
    impossible.subject.effective = [.overrideFileAccess]
    #expect(throws: OracleError.self) { try oracle.answers(to: CaseBatch(impossible)) }
    #expect(try oracle.answers(to: CaseBatch(Self.simple)) == [13])
  }

  @Test func `Nothing on the machine sees the tree`() throws {
    let before = try Self.mounts()
    let oracle = try KernelOracle()
    _ = try oracle.answers(to: CaseBatch(Self.simple))
    #expect(try Self.mounts() == before)
  }

  @Test func `Two oracles that want other link restrictions wait for each other`() async throws {
    let answers = try await withThrowingTaskGroup(of: [Errno].self) { group in
      for isProtected in [true, false] {
        group.addTask {
          let oracle = try KernelOracle()
          guard oracle.options().protectedSymlinks.contains(isProtected) else { return [] }
          var scene = KernelScene.stickyLink
          scene.protectedSymlinks = isProtected
          var answers: Set<Errno> = []
          for _ in 0..<40 { answers.formUnion(try oracle.answers(to: CaseBatch(scene))) }
          return Array(answers)
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers.isSubset(of: [[13], [0], []]))
    #expect(answers.contains([13]))
  }

  private static func mounts() throws -> [String] {
    let table = try Data(contentsOf: URL(filePath: "/proc/self/mountinfo"))
    return String(decoding: table, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
  }
}
