package precise

// ln2 and invLn10 are ln 2 and 1/ln 10.
var (
	ln2     = double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	invLn10 = double{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}
)

// halfPi are three parts of pi/2, each smaller than the last bit of the one before.
var halfPi = [3]float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}

// piDigits is pi with more digits than a number below 2^150 needs to be taken modulo pi/2.
const piDigits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"

// inverseFactorials are 1/n!.
var inverseFactorials = [...]double{
	{0x1.0000000000000p+0, 0x0.0p+0},                 // 1/0!
	{0x1.0000000000000p+0, 0x0.0p+0},                 // 1/1!
	{0x1.0000000000000p-1, 0x0.0p+0},                 // 1/2!
	{0x1.5555555555555p-3, 0x1.5555555555555p-57},    // 1/3!
	{0x1.5555555555555p-5, 0x1.5555555555555p-59},    // 1/4!
	{0x1.1111111111111p-7, 0x1.1111111111111p-63},    // 1/5!
	{0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},  // 1/6!
	{0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},   // 1/7!
	{0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},   // 1/8!
	{0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},  // 1/9!
	{0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},   // 1/10!
	{0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},  // 1/11!
	{0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},  // 1/12!
	{0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},   // 1/13!
	{0x1.93974a8c07c9dp-37, 0x1.05d6f8a2efd1fp-92},   // 1/14!
	{0x1.ae7f3e733b81fp-41, 0x1.1d8656b0ee8cbp-97},   // 1/15!
	{0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},  // 1/16!
	{0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},  // 1/17!
	{0x1.6827863b97d97p-53, 0x1.eec01221a8b0bp-107},  // 1/18!
	{0x1.2f49b46814157p-57, 0x1.2650f61dbdcb4p-112},  // 1/19!
	{0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},  // 1/20!
	{0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120}, // 1/21!
	{0x1.0ce396db7f853p-70, -0x1.aebcdbd20331cp-124}, // 1/22!
	{0x1.761b41316381ap-75, -0x1.3423c7d91404fp-130}, // 1/23!
	{0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135}, // 1/24!
	{0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139}, // 1/25!
	{0x1.88e85fc6a4e5ap-89, -0x1.71c37ebd16540p-143}, // 1/26!
	{0x1.d1ab1c2dccea3p-94, 0x1.054d0c78aea14p-149},  // 1/27!
	{0x1.0a18a2635085dp-98, 0x1.b9e2e28e1aa54p-153},  // 1/28!
	{0x1.259f98b4358adp-103, 0x1.eaf8c39dd9bc5p-157}, // 1/29!
	{0x1.3932c5047d60ep-108, 0x1.832b7b530a627p-162}, // 1/30!
}
