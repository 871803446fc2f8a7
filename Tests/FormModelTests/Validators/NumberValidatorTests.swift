import Testing

@testable import FormModel

@Suite struct NumberValidatorTests {
  @Test(arguments: [
    "11010519491231002X", "11010519491231002x", "440524188001010014", "110101200002290018",
    "810000199707010010",
  ])
  func residentIDs(_ text: String) {
    #expect(ResidentID.isValid(text))
  }

  @Test(arguments: [
    "", "110105491231002", "11010519491231002", "11010519491231002XX", "110105194912310021",
    "X1010519491231002X", "11010519491231002Ｘ", "1101051949123100 2", "１１０１０５１９４９１２３１００２Ｘ",
    "110101200102290015", "110101200013010018", "11010519491231002X\n", "1101051949123100é",
  ])
  func noResidentIDs(_ text: String) {
    #expect(!ResidentID.isValid(text))
  }

  @Test func residentIDsHaveAKnownProvince() {
    let provinces = (0...99).filter { ResidentID.isValid(Self.residentID(region: $0)) }
    #expect(
      provinces == [
        11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46,
        50, 51, 52, 53, 54, 61, 62, 63, 64, 65, 71, 81, 82, 83, 91,
      ])
  }

  @Test func residentIDsHaveABirthDateThatExists() {
    for date in ["18000101", "19000228", "20000229", "20240229", "99991231"] {
      #expect(ResidentID.isValid(Self.residentID(date: date)), "\(date)")
    }
    for date in [
      "17991231", "00000101", "19000229", "20230229", "20230431", "20230001", "20231301",
      "20230100", "20230132",
    ] {
      #expect(!ResidentID.isValid(Self.residentID(date: date)), "\(date)")
    }
  }

  @Test func oneWrongDigitOfAResidentIDIsFound() {
    let right = Array("11010519491231002X")
    for index in right.indices {
      for digit in "0123456789X" where digit != right[index] {
        var wrong = right
        wrong[index] = digit
        #expect(!ResidentID.isValid(String(wrong)))
      }
    }
  }

  /// Makes a number with the check digit of GB 11643, which it prints as weights and a table.
  private static func residentID(region: Int = 11, date: String = "19491231") -> String {
    let body = (region < 10 ? "0" : "") + "\(region)0105\(date)002"
    let weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    let sum = zip(body, weights).reduce(0) { $0 + ($1.0.wholeNumberValue ?? 0) * $1.1 }
    return body + String(Array("10X98765432")[sum % 11])
  }

  @Test(arguments: ["91350100M000100Y43"])
  func socialCreditCodes(_ text: String) {
    #expect(SocialCreditCode.isValid(text))
  }

  @Test(arguments: [
    "", "91350100M000100Y4", "91350100M000100Y433", "91350100M000100Y40", "91350100m000100y43",
    "91350100M000100YI3", "91350100M000100YO3", "91350100M000100YS3", "91350100M000100YV3",
    "91350100M000100YZ3", "９1350100M000100Y43", " 91350100M000100Y43", "91350100-000100Y43",
  ])
  func noSocialCreditCodes(_ text: String) {
    #expect(!SocialCreditCode.isValid(text))
  }

  @Test func oneWrongCharacterOfASocialCreditCodeIsFound() {
    let right = Array("91350100M000100Y43")
    for index in right.indices {
      for character in "0123456789ABCDEFGHJKLMNPQRTUWXY" where character != right[index] {
        var wrong = right
        wrong[index] = character
        #expect(!SocialCreditCode.isValid(String(wrong)))
      }
    }
  }

  @Test(arguments: [
    "6222020200112233446", "4111111111111111", "378282246310005", "30569309025904",
    "6304000000000000", "000000000000",
  ])
  func bankCards(_ text: String) {
    #expect(BankCard.isValid(text))
  }

  @Test(arguments: [
    "", "6222020200112233447", "4111 1111 1111 1111", "4111-1111-1111-1111", "4111111111111112",
    "00000000000", "00000000000000000000", "４111111111111111", "4111111111111111\n", "41111111111l",
  ])
  func noBankCards(_ text: String) {
    #expect(!BankCard.isValid(text))
  }

  @Test(arguments: ["13800138000", "19912345678", "16212345678", "17012345678", "14000000000"])
  func mobileNumbers(_ text: String) {
    #expect(MobileNumberCN.isValid(text))
  }

  @Test(arguments: [
    "", "10012345678", "12012345678", "23800138000", "1380013800", "138001380000", "138 0013 8000",
    "+8613800138000", "１３８００１３８０００", "13800138000\u{202C}", "1380013800٣", "13800138000\n",
    "1380013800x",
  ])
  func noMobileNumbers(_ text: String) {
    #expect(!MobileNumberCN.isValid(text))
  }
}
