import Glibc
import LegoKit

/// Knows the accounts, and makes new ones.
struct AccountsService: Service {
  /// Nobody has chosen a folder yet.
  static let contractor = AccountsService(folder: ".")
  /// A test says where its accounts are.
  static let testContractor: AccountsService? = nil

  /// Whether a login belongs to somebody.
  var isTaken: @Sendable (_ login: String) async -> Bool
  /// Makes an account, or says why not.
  var create: @Sendable (Account) async -> String?

  /// Accounts that are files in a folder, each named after its login.
  init(folder: String) {
    isTaken = { login in unsafe access("\(folder)/\(login)", F_OK) == 0 }
    create = { account in
      let path = "\(folder)/\(account.login)"
      // Somebody may have taken it since it was checked.
      let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else { return unsafe String(cString: strerror(errno)) }
      defer { close(file) }
      let text = Array("\(account.name)\n\(account.address)\n".utf8)
      guard unsafe write(file, text, text.count) == text.count, fsync(file) == 0 else {
        let reason = unsafe String(cString: strerror(errno))
        unsafe unlink(path)
        return reason
      }
      return nil
    }
  }

  /// Accounts of a test's making.
  init(
    isTaken: @escaping @Sendable (String) async -> Bool,
    create: @escaping @Sendable (Account) async -> String?
  ) {
    self.isTaken = isTaken
    self.create = create
  }
}

extension Contractors {
  /// Knows the accounts, and makes new ones.
  var accounts: AccountsService {
    get { Self[AccountsService.Value.self] }
    set { Self[AccountsService.Value.self] = newValue }
  }
}
