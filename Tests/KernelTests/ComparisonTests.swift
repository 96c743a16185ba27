import AccessModel
import CaseGenerator
import Testing

@Suite("Comparison")
struct ComparisonTests {
  /// Returns the model's own answers as error numbers.
  private static func modelAnswers(to batch: CaseBatch) -> [Errno] {
    batch.cases.map { access in
      guard case .denied(let errno) = access.decide().outcome else { return 0 }
      return errno
    }
  }

  @Test func `A wrong answer is reported with its case`() throws {
    let batch = CaseGenerator(seed: 4).batch(2)
    var answers = Self.modelAnswers(to: batch)
    var comparison = Comparison()
    comparison.add(batch, answers: answers)
    #expect(comparison.disagreements.isEmpty)

    answers[5] = answers[5] == 13 ? 1 : 13
    comparison = Comparison()
    comparison.add(batch, answers: answers)
    #expect(comparison.disagreements.map(\.access) == [batch.cases[5]])
    let text = try #require(comparison.disagreements.first).description
    #expect(text.contains("case \(batch.cases[5].id): kernel"))
    #expect(text.contains("\n{"))
  }

  @Test(
    arguments: [
      (KernelScene.stickyLink.request, 6, true), (KernelScene.stickyLink.request, 13, false),
      (.access(path: "/", mode: [], effective: true, noFollow: false), 6, false),
      (.access(path: "/", mode: [], effective: true, noFollow: false), 22, false),
      (.open(path: "/", flags: [.readOnly]), 22, true),
    ] as [(Request, Errno, Bool)])
  func `Only a driver may refuse what was granted`(request: Request, errno: Errno, granted: Bool) {
    #expect(Comparison.isGranted(errno, to: request) == granted)
  }

  /// Compares `ELOOP` with the model's answer that a link is protected.
  @Test(arguments: [(20, 0), (21, 1), (40, 1)])
  func `Too many links stand for a protected one only where they may be counted twice`(
    links: Int, doubleCounts: Int
  ) {
    var scene = KernelScene.stickyLink
    for number in 1..<links {
      var link = Node(path: "/l\(number)", type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
      link.target = number == 1 ? "/tmp/cam" : "/l\(number - 1)"
      scene.nodes.append(link)
    }
    scene.request = .open(path: "/l\(links - 1)", flags: [.readOnly])
    #expect(scene.decide().rule == .symlinkProtected)
    var comparison = Comparison()
    comparison.add(CaseBatch(scene), answers: [40])
    #expect(comparison.doubleCounts == doubleCounts)
    #expect(comparison.disagreements.count == 1 - doubleCounts)
  }
}
