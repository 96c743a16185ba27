internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The `devaccess request` command.
struct RequestCommand {
  let request: AccessRequest
  /// The request to select files, which replaces ``request``; `nil` without `--select`.
  var selection: AlbumSelectionRequest?
  /// The program to run with the file descriptor or the files, and its arguments; empty for none.
  var program: [String] = []
}

extension RequestCommand: Command {
  static let declaration = CommandDeclaration(
    name: .request,
    summary: "request access, and run a command with the device already open",
    operand: .requestedOrPath,
    options: [.read, .write, .name, .access, .select, .method, .timeout, .force, .json],
    details: """
      Tries the methods in this order until one gives access: open the device as it is; create the \
      missing album; ask the camera portal of the desktop; raise a permitted capability; ask \
      devaccess-broker, where it is installed. DEVACCESS_FD holds the number of the open file \
      descriptor for COMMAND.
      """,
    examples: [
      ("devaccess request camera", "request the camera"),
      ("devaccess request camera --method=portal", "ask only the portal"),
      ("devaccess request album --access=add", "create the album if it does not exist"),
      ("devaccess request /dev/video2 -- record", "run a program with the device already open"),
    ], takesProgram: true)

  init(_ arguments: CommandArguments) throws(UsageError) {
    let question = try arguments.questions()[0]
    let target: AccessRequest.Target
    switch question.target {
    case .kind(.camera): target = arguments.value(.name).map { .cameraNamed($0) } ?? .camera
    case .kind(.microphone):
      target = arguments.value(.name).map { .microphoneNamed($0) } ?? .microphone
    case .kind(.album):
      if let option = [OptionName.read, .write].first(where: arguments.contains) {
        throw arguments.error("--\(option.rawValue) is for devices; album takes --access")
      }
      target = .album(try Self.level(arguments))
    case .kind(let kind):
      throw arguments.error(
        "request takes camera, microphone, album or the path of a device, not \(kind.name)")
    case .path(let path): target = .path(path)
    }
    if arguments.contains(.name), ![.kind(.camera), .kind(.microphone)].contains(question.target) {
      throw arguments.error("--name is for cameras and microphones")
    }
    if arguments.value(.name)?.isEmpty == true {
      throw arguments.error("--name takes the name of a device, as shown by 'devaccess list'")
    }
    if arguments.contains(.access), question.target != .kind(.album) {
      throw arguments.error("--access is for the album")
    }
    if arguments.contains(.select) {
      guard question.target == .kind(.album) else {
        throw arguments.error("--select is for the album")
      }
      if let other = [OptionName.access, .method].first(where: arguments.contains) {
        throw arguments.error("--select cannot be used with --\(other.rawValue)")
      }
      selection = AlbumSelectionRequest()
    }
    var request = AccessRequest(target, wanted: question.wanted)
    request.isForced = arguments.contains(.force)
    if let word = arguments.value(.method) {
      guard let method = AccessMethod(rawValue: word) else {
        let words = AccessMethod.allCases.map(\.rawValue).listed(with: "or")
        throw arguments.error("--method takes \(words), not '\(Escaped(word, limit: 80))'")
      }
      request.methods = [method]
    }
    if let word = arguments.value(.timeout) {
      guard WaitLimit.isNumber(word), let seconds = Double(word), seconds <= WaitLimit.longest
      else {
        throw arguments.error(
          "--timeout takes a number of seconds from 0 to \(Int(WaitLimit.longest)), "
            + "not '\(Escaped(word, limit: 80))'")
      }
      request.timeout = .seconds(seconds)
      selection?.timeout = .seconds(seconds)
    }
    self.request = request
    program = arguments.program
    if !program.isEmpty, arguments.contains(.json) {
      throw arguments.error("--json cannot be used with a command, whose output it would precede")
    }
  }

  private static func level(
    _ arguments: CommandArguments
  ) throws(UsageError) -> AlbumAccessLevel {
    guard let word = arguments.value(.access) else { return .readWrite }
    guard let level = AlbumAccessLevel(word: word) else {
      let words = AlbumAccessLevel.allCases.map(\.word).joined(separator: " or ")
      throw arguments.error("--access takes \(words), not '\(Escaped(word, limit: 80))'")
    }
    return level
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    // The command waits for dialogs, and opens devices on a separate thread.
    try CommandFailure.requireWaiting(to: "ask")
    if let selection {
      return try await AlbumSelectionRun(request: selection, program: program).run(context)
    }
    let service = Contractors().permissions
    let answer = await service.request(request) { method in
      if let words = method.progress { context.streams.report(words) }
    }
    guard !program.isEmpty else {
      if let token = answer.token { service.discard(token) }
      return try show(answer, context)
    }
    guard let token = answer.token, let access = service.take(token) else {
      // Standard output is reserved for the program.
      context.streams.report(String(text(answer, context).text.dropLast()))
      return ExitStatus(answer.outcome)
    }
    return start(access, context)
  }

  /// Replaces this process with the program, which inherits the file descriptor.
  ///
  /// The method returns only if the program cannot be run.
  private func start(_ access: borrowing DeviceAccess, _ context: CommandRun) -> ExitStatus {
    let error = ProgramReplacement.run(
      program, adding: [(name: "DEVACCESS_FD", value: String(access.rawValue))],
      keeping: access.rawValue)
    context.streams.report("cannot run \(Escaped(program[0])): \(error.clause)")
    return error == .noSuchFile ? .notFound : .notExecutable
  }

  private func show(_ answer: AccessAnswer, _ context: CommandRun) throws -> ExitStatus {
    let status = ExitStatus(answer.outcome)
    if context.json { return try context.show(json: AccessAnswerOutput(answer), status) }
    return try context.show(text(answer, context).text, status)
  }

  private func text(_ answer: AccessAnswer, _ context: CommandRun) -> AccessAnswerText {
    AccessAnswerText(answer: answer, style: context.style)
  }
}

extension AccessMethod {
  /// The progress message for a step that needs a user or a privilege; `nil` for other steps.
  fileprivate var progress: String? {
    switch self {
    case .authorized: nil
    case .creation: "creating the pictures directory"
    case .portal: "asking the camera portal, which may show a dialog"
    case .capability: "raising a capability to open the device"
    case .broker: "asking the device broker, which may have an administrator authenticate"
    }
  }
}
