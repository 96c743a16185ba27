import Glibc
import LegoKit
import LegoLinks

// A test program that handles links.
//
//   link-program NAME LOG [--notify TITLE PATH] [LINK…] [--gapplication-service]
//
// It appends lines to the file LOG: the kind of instance (first, service or handedOver), and one line
// for each change caused by a link, each problem and each notification. `photos:/quit` ends it.

enum Route: Equatable, Sendable {
  case picture(Int)
  case quit

  var picture: Int? { if case .picture(let number) = self { number } else { nil } }
}

struct Photos: Blueprint {
  struct Design: Equatable, Sendable {
    var isOver = false
  }

  enum Change: Equatable, Sendable {
    case open(Route)
    case show
  }

  func change(_ design: inout Design, on change: Change) {
    if change == .open(.quit) { design.isOver = true }
  }
}

final class PhotosAdaptor: Adaptor<Photos> {
  private let links: Links<Route>
  private let arrivals: LinkInbox

  init(_ links: Links<Route>, _ arrivals: LinkInbox) {
    self.links = links
    self.arrivals = arrivals
  }

  override var follows: [Follow<Photos>] {
    [Follow(links, from: arrivals, activated: .show) { .open($0) }]
  }

  override func effect(_ design: Photos.Design, on change: Photos.Change) -> Effect<Photos.Change> {
    switch change {
    case .open(.picture(let number)): say("picture \(number)")
    case .open(.quit): say("quit")
    case .show: say("show")
    }
    return .none
  }
}

// End the program even if the test that started it fails.
alarm(300)
let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
let log = unsafe open(arguments[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)

@Sendable func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(log, bytes, bytes.count)
}

let links = Links(
  scheme: "photos",
  [try Link("/picture/:number", Route.picture, \.picture), try Link("/quit", Route.quit)])
let application = try DesktopApplication(
  arguments[1], schemes: ["photos"], actions: ["newest": "photos:/picture/0"])

try await withContractors {
  $0.problemSink = LogSink { say("problem: \($0)") }
} operation: {
  do throws(DesktopApplicationError) {
    let instance = try await application.start()
    say("\(instance)")
    if instance == .handedOver { return }
  } catch {
    say("error: \(error)")
    exit(1)
  }
  if let index = arguments.firstIndex(of: "--notify") {
    let notification = LinkNotification(
      "newest", title: arguments[index + 1], link: "photos:" + arguments[index + 2])
    say("shown \(try await application.notify(notification))")
  }
  let lego = Lego(
    .init(), blueprint: Photos(), adaptors: [PhotosAdaptor(links, application.arrivals)])
  for await isOver in lego.observe(\.isOver) where isOver { break }
  await lego.close()
  await application.close()
  say("over")
}
