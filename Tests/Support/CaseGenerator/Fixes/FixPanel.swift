internal import AccessModel

/// The identities and questions that are checked before and after a fix.
///
/// The identities are every user and group that a node or a list names, and a user that none names.
struct FixPanel {
  struct Identity {
    var user: UInt32?
    var group: UInt32?
    var subject: Subject
  }

  struct Question {
    var path: String
    var permissions: Permissions
    var request: Request
  }

  private(set) var identities: [Identity] = []
  private(set) var questions: [Question] = []

  var requests: [Request] { questions.map(\.request) }

  init(_ scene: FixScene) {
    let accounts = scene.accounts
    let ids = Set(accounts.users.map(\.id))
    let numbers = Set(accounts.groups)
    let nobody = Self.unused(ids, from: 61_111)
    let noGroup = Self.unused(numbers, from: 61_111)
    identities = [Identity(subject: Subject(uid: nobody, gid: noGroup))]
    identities += accounts.users.prefix(10).map {
      Identity(user: $0.id, subject: Subject(uid: $0.id, gid: noGroup))
    }
    identities += accounts.groups.prefix(10).map {
      Identity(group: $0, subject: Subject(uid: nobody, gid: noGroup, groups: [$0]))
    }
    for node in scene.access.nodes where node.type != .symbolicLink {
      let isDirectory = node.type == .directory
      let all: [Permissions] =
        isDirectory ? [.read, [.write, .search], .search] : [.read, .write, [.read, .write]]
      for permissions in all {
        let request: Request =
          isDirectory || node.type == .socket
          ? .access(path: node.path, mode: permissions, effective: true, noFollow: true)
          : .open(path: node.path, flags: permissions.openFlags)
        questions.append(Question(path: node.path, permissions: permissions, request: request))
      }
    }
  }

  private static func unused(_ taken: Set<UInt32>, from first: UInt32) -> UInt32 {
    var candidate = first
    while taken.contains(candidate) { candidate += 1 }
    return candidate
  }
}
