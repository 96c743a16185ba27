internal import AccessModel

/// Facts about one file that also apply to similar files.
///
/// A similar file is in the same directory, on the same mount, and has the same type, owner and
/// ACL. A watch of many files inspects only the file that an event concerns, and takes the other
/// facts from here. This is a class, because the facts are large and are passed on for each event.
final class SimilarFileFacts: Sendable {
  private let question: Question
  fileprivate let facts: AccessFacts
  private let view: SubjectView
  private let directories: KnownDirectories
  /// The questions to the kernel, and whether each is about the file itself.
  fileprivate let questions: [(question: KernelQuestion, isOfFile: Bool)]

  /// Creates shared facts; `nil` if facts other than those about the file itself depend on the
  /// file.
  ///
  /// - Parameters:
  ///   - question: The question that the facts answer, about an absolute path.
  ///   - facts: The facts.
  ///   - view: The subject of the facts.
  ///   - directories: The known directories on the path to the file.
  init?(
    _ question: Question, _ facts: AccessFacts, of view: SubjectView,
    in directories: KnownDirectories
  ) {
    let path = facts.access.request.path
    guard question.target == .path(path), question.rules == .none, !facts.access.request.creates,
      view.unit == nil, view.directory == nil, let node = facts.access.nodes.last,
      facts.access.nodes.count == directories.sightings.count + 1, node.path == path,
      node.type != .directory, node.type != .symbolicLink, node.unobserved.isEmpty,
      !Self.mayBelongToKind(path, facts.devices),
      facts.hardware == nil, facts.album == nil, facts.rules == nil,
      facts.confinement.profileRule == nil, facts.confinement.label?.hasSuffix("(enforce)") != true,
      !facts.access.subject.unobserved.contains(.overflowIDs),
      !facts.unobserved.contains(where: { $0.at == path }),
      !facts.kernelChecks.contains(where: { $0.errno == .notPermitted })
    else { return nil }
    self.question = question
    self.facts = facts
    self.view = view
    self.directories = directories
    questions = Self.questions(behind: facts.kernelChecks, about: path)
  }

  /// Returns the questions that the given checks answer.
  private static func questions(
    behind checks: [KernelCheck], about path: String
  ) -> [(question: KernelQuestion, isOfFile: Bool)] {
    var questions: [(question: KernelQuestion, isOfFile: Bool)] = []
    for check in checks {
      let (mode, key) = (check.permissions, PathKey(check.path))
      if let last = questions.last, PathKey(last.question.path) == key {
        questions[questions.count - 1].question.modes.append(mode)
      } else {
        questions.append((KernelQuestion(check.path, [mode]), key == PathKey(path)))
      }
    }
    return questions
  }

  /// An inspected file, with the facts of a similar file.
  struct InspectedFile: Sendable {
    fileprivate let question: Question
    fileprivate let node: Node
    fileprivate let similar: SimilarFileFacts
  }

  /// Inspects the file of a question.
  ///
  /// - Parameters:
  ///   - question: A question about an absolute path.
  ///   - known: The facts of possibly similar files.
  /// - Returns: The inspected file; `nil` if no known file is similar.
  static func scan(for question: Question, knowing known: [SimilarFileFacts]) -> InspectedFile? {
    guard case .path(let path) = question.target,
      let first = known.first(where: { $0.isAbout(question, path) }),
      !mayBelongToKind(path, first.facts.devices)
    else { return nil }
    // All known facts that match the question have the same subject.
    var observer = PathObserver(translator: first.view.translator, root: first.view.root)
    guard case .found(let node) = observer.scan(at: path), let sighting = observer.sightings.last,
      observer.unobserved.isEmpty, !observer.translator.metOverflow
    else { return nil }
    let similar = known.first { known in
      known.isLike(node) && known.directories.isOnLastMount(sighting)
        && (known === first || known.isAbout(question, path))
    }
    return similar.map { InspectedFile(question: question, node: node, similar: $0) }
  }

  /// Returns the facts about files that were just inspected.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - kernel: Asks the kernel on the calling thread.
  ///   - children: The processes that ask for other subjects, with several files per message.
  /// - Returns: The facts about each file; `nil` if the kernel's answer requires a complete scan.
  static func facts(
    of files: [InspectedFile], asking kernel: KernelChecker.Kernel,
    through children: KernelCheckChildren
  ) -> [AccessFacts?] {
    var all: [AccessFacts?] = []
    var rest = files[...]
    while let first = rest.first {
      // A child accepts a limited number of paths. Each file adds its own path, and may add a
      // shared one.
      let same = rest.prefix(KernelCheckChildren.mostPaths / 2).prefix {
        $0.similar === first.similar
      }
      rest = rest.dropFirst(same.count)
      let questions = same.map(\.questions)
      let (checks, failure) = first.similar.view.checker.answers(
        to: Array(questions.joined()), asking: kernel, through: children)
      guard failure == nil else {
        all += same.map { _ in nil }
        continue
      }
      var answers = checks[...]
      for (file, questions) in zip(same, questions) {
        let count = questions.reduce(0) { $0 + $1.modes.count }
        all.append(file.facts(Array(answers.prefix(count))))
        answers = answers.dropFirst(count)
      }
    }
    return all
  }

  private func isAbout(_ question: Question, _ path: String) -> Bool {
    isBeside(path) && isLike(question)
  }

  /// Returns whether a path names an object in the same directory.
  private func isBeside(_ path: String) -> Bool {
    guard let above = directories.sightings.last?.node.path else { return false }
    let prefix = above.utf8.count == 1 ? 1 : above.utf8.count + 1
    let name = path.utf8.dropFirst(prefix)
    return path.utf8.starts(with: above.utf8) && path.utf8.dropFirst(prefix - 1).first == Self.slash
      && !name.isEmpty && !name.contains(Self.slash) && !name.elementsEqual(".".utf8)
      && !name.elementsEqual("..".utf8)
  }

  /// Returns whether another question asks the same about its file.
  private func isLike(_ other: Question) -> Bool {
    other.wanted == question.wanted && other.purpose == question.purpose
      && other.names == question.names && other.rules == .none && other.subject == question.subject
      && other.variation == question.variation
  }

  /// Returns whether an object has the same type, device number, owner and ACL.
  private func isLike(_ node: Node) -> Bool {
    guard let first = facts.access.nodes.last else { return false }
    return node.type == first.type && node.rdev == first.rdev && node.uid == first.uid
      && node.gid == first.gid && node.acl == first.acl && node.unobserved.isEmpty
  }

  /// Returns whether the facts include other devices as well, because of the path or its target.
  private static func mayBelongToKind(_ path: String, _ devices: [DeviceFacts]) -> Bool {
    guard devices.count <= 1, !path.utf8.starts(with: "/dev/".utf8) else { return true }
    return devices.contains { device in
      DeviceKind.all.contains { $0.subsystem == device.subsystem }
    }
  }

  private static let slash = UInt8(ascii: "/")
}

extension SimilarFileFacts.InspectedFile {
  /// The questions to the kernel about the file.
  fileprivate var questions: [KernelQuestion] {
    similar.questions.map { question, isOfFile in
      isOfFile ? KernelQuestion(node.path, question.modes) : question
    }
  }

  /// Returns the facts about the file with the kernel's answers.
  ///
  /// The result is `nil` if an answer is `EPERM`, which requires a complete scan.
  fileprivate func facts(_ checks: [KernelCheck]) -> AccessFacts? {
    guard !checks.contains(where: { $0.errno == .notPermitted }) else { return nil }
    var facts = similar.facts
    facts.access.nodes[facts.access.nodes.count - 1] = node
    facts.access.request = question.request(for: node.path, type: node.type)
    facts.kernelChecks = checks
    return facts
  }
}
