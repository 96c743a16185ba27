import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `The kernel's answers to the calling thread` {
  private static let modes = (0..<8 as Range<UInt8>).map(Permissions.init(rawValue:))

  @Test func `are those to each question, in its place`() {
    for _ in 0..<200 {
      let given = Permissions(rawValue: .random(in: 0..<8))
      let questions = ["/one", "/two"].map { KernelQuestion($0, Self.modes.shuffled()) }
      let (checks, failure) = KernelChecker.caller.answers(to: questions) { path, mode in
        path == "/one" && given.isSuperset(of: mode) ? .success : .permissionDenied
      }
      let asked = questions.flatMap { question in question.modes.map { (question.path, $0) } }
      #expect(failure == nil && checks.count == asked.count)
      for (check, (path, mode)) in zip(checks, asked) {
        let isGranted = path == "/one" && given.isSuperset(of: mode)
        #expect(check.path == path && check.permissions == mode)
        #expect(check.errno == (isGranted ? .success : .permissionDenied))
      }
    }
  }

  @Test(arguments: [Errno.success, .noSuchFile, .notDirectory])
  func `are asked for once where one tells all`(answer: Errno) {
    var count = 0
    let question = KernelQuestion("/path", Self.modes)
    let checks = KernelChecker.caller.answers(to: [question]) { _, _ in
      count += 1
      return answer
    }.checks
    #expect(count == 1 && checks.count == Self.modes.count)
    #expect(checks.allSatisfy { $0.errno == answer })
  }

  @Test func `are asked for each where each may differ`() {
    var asked: Set<UInt8> = []
    let question = KernelQuestion("/path", Self.modes)
    _ = KernelChecker.caller.answers(to: [question]) { _, mode in
      asked.insert(mode.rawValue)
      return .readOnlyFilesystem
    }
    #expect(asked.count == Self.modes.count)
  }
}
