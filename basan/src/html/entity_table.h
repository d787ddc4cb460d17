/* SPDX-License-Identifier: MIT */
/* Made from data/entities.tsv: the named character references of HTML (section 13.5), sorted by name. */
#ifndef DANA_HTML_ENTITY_TABLE_H
#define DANA_HTML_ENTITY_TABLE_H

/* Where its name lies in entity_names, whether it is valid without a semicolon, and its one or two characters. */
struct entity {
	uint16_t at;
	uint8_t len;
	uint8_t bare;
	uint32_t first, second;
};

static const char entity_names[] =
	"AElig"
	"AMP"
	"Aacute"
	"Abreve"
	"Acirc"
	"Acy"
	"Afr"
	"Agrave"
	"Alpha"
	"Amacr"
	"And"
	"Aogon"
	"Aopf"
	"ApplyFunction"
	"Aring"
	"Ascr"
	"Assign"
	"Atilde"
	"Auml"
	"Backslash"
	"Barv"
	"Barwed"
	"Bcy"
	"Because"
	"Bernoullis"
	"Beta"
	"Bfr"
	"Bopf"
	"Breve"
	"Bscr"
	"Bumpeq"
	"CHcy"
	"COPY"
	"Cacute"
	"Cap"
	"CapitalDifferentialD"
	"Cayleys"
	"Ccaron"
	"Ccedil"
	"Ccirc"
	"Cconint"
	"Cdot"
	"Cedilla"
	"CenterDot"
	"Cfr"
	"Chi"
	"CircleDot"
	"CircleMinus"
	"CirclePlus"
	"CircleTimes"
	"ClockwiseContourIntegral"
	"CloseCurlyDoubleQuote"
	"CloseCurlyQuote"
	"Colon"
	"Colone"
	"Congruent"
	"Conint"
	"ContourIntegral"
	"Copf"
	"Coproduct"
	"CounterClockwiseContourIntegral"
	"Cross"
	"Cscr"
	"Cup"
	"CupCap"
	"DD"
	"DDotrahd"
	"DJcy"
	"DScy"
	"DZcy"
	"Dagger"
	"Darr"
	"Dashv"
	"Dcaron"
	"Dcy"
	"Del"
	"Delta"
	"Dfr"
	"DiacriticalAcute"
	"DiacriticalDot"
	"DiacriticalDoubleAcute"
	"DiacriticalGrave"
	"DiacriticalTilde"
	"Diamond"
	"DifferentialD"
	"Dopf"
	"Dot"
	"DotDot"
	"DotEqual"
	"DoubleContourIntegral"
	"DoubleDot"
	"DoubleDownArrow"
	"DoubleLeftArrow"
	"DoubleLeftRightArrow"
	"DoubleLeftTee"
	"DoubleLongLeftArrow"
	"DoubleLongLeftRightArrow"
	"DoubleLongRightArrow"
	"DoubleRightArrow"
	"DoubleRightTee"
	"DoubleUpArrow"
	"DoubleUpDownArrow"
	"DoubleVerticalBar"
	"DownArrow"
	"DownArrowBar"
	"DownArrowUpArrow"
	"DownBreve"
	"DownLeftRightVector"
	"DownLeftTeeVector"
	"DownLeftVector"
	"DownLeftVectorBar"
	"DownRightTeeVector"
	"DownRightVector"
	"DownRightVectorBar"
	"DownTee"
	"DownTeeArrow"
	"Downarrow"
	"Dscr"
	"Dstrok"
	"ENG"
	"ETH"
	"Eacute"
	"Ecaron"
	"Ecirc"
	"Ecy"
	"Edot"
	"Efr"
	"Egrave"
	"Element"
	"Emacr"
	"EmptySmallSquare"
	"EmptyVerySmallSquare"
	"Eogon"
	"Eopf"
	"Epsilon"
	"Equal"
	"EqualTilde"
	"Equilibrium"
	"Escr"
	"Esim"
	"Eta"
	"Euml"
	"Exists"
	"ExponentialE"
	"Fcy"
	"Ffr"
	"FilledSmallSquare"
	"FilledVerySmallSquare"
	"Fopf"
	"ForAll"
	"Fouriertrf"
	"Fscr"
	"GJcy"
	"GT"
	"Gamma"
	"Gammad"
	"Gbreve"
	"Gcedil"
	"Gcirc"
	"Gcy"
	"Gdot"
	"Gfr"
	"Gg"
	"Gopf"
	"GreaterEqual"
	"GreaterEqualLess"
	"GreaterFullEqual"
	"GreaterGreater"
	"GreaterLess"
	"GreaterSlantEqual"
	"GreaterTilde"
	"Gscr"
	"Gt"
	"HARDcy"
	"Hacek"
	"Hat"
	"Hcirc"
	"Hfr"
	"HilbertSpace"
	"Hopf"
	"HorizontalLine"
	"Hscr"
	"Hstrok"
	"HumpDownHump"
	"HumpEqual"
	"IEcy"
	"IJlig"
	"IOcy"
	"Iacute"
	"Icirc"
	"Icy"
	"Idot"
	"Ifr"
	"Igrave"
	"Im"
	"Imacr"
	"ImaginaryI"
	"Implies"
	"Int"
	"Integral"
	"Intersection"
	"InvisibleComma"
	"InvisibleTimes"
	"Iogon"
	"Iopf"
	"Iota"
	"Iscr"
	"Itilde"
	"Iukcy"
	"Iuml"
	"Jcirc"
	"Jcy"
	"Jfr"
	"Jopf"
	"Jscr"
	"Jsercy"
	"Jukcy"
	"KHcy"
	"KJcy"
	"Kappa"
	"Kcedil"
	"Kcy"
	"Kfr"
	"Kopf"
	"Kscr"
	"LJcy"
	"LT"
	"Lacute"
	"Lambda"
	"Lang"
	"Laplacetrf"
	"Larr"
	"Lcaron"
	"Lcedil"
	"Lcy"
	"LeftAngleBracket"
	"LeftArrow"
	"LeftArrowBar"
	"LeftArrowRightArrow"
	"LeftCeiling"
	"LeftDoubleBracket"
	"LeftDownTeeVector"
	"LeftDownVector"
	"LeftDownVectorBar"
	"LeftFloor"
	"LeftRightArrow"
	"LeftRightVector"
	"LeftTee"
	"LeftTeeArrow"
	"LeftTeeVector"
	"LeftTriangle"
	"LeftTriangleBar"
	"LeftTriangleEqual"
	"LeftUpDownVector"
	"LeftUpTeeVector"
	"LeftUpVector"
	"LeftUpVectorBar"
	"LeftVector"
	"LeftVectorBar"
	"Leftarrow"
	"Leftrightarrow"
	"LessEqualGreater"
	"LessFullEqual"
	"LessGreater"
	"LessLess"
	"LessSlantEqual"
	"LessTilde"
	"Lfr"
	"Ll"
	"Lleftarrow"
	"Lmidot"
	"LongLeftArrow"
	"LongLeftRightArrow"
	"LongRightArrow"
	"Longleftarrow"
	"Longleftrightarrow"
	"Longrightarrow"
	"Lopf"
	"LowerLeftArrow"
	"LowerRightArrow"
	"Lscr"
	"Lsh"
	"Lstrok"
	"Lt"
	"Map"
	"Mcy"
	"MediumSpace"
	"Mellintrf"
	"Mfr"
	"MinusPlus"
	"Mopf"
	"Mscr"
	"Mu"
	"NJcy"
	"Nacute"
	"Ncaron"
	"Ncedil"
	"Ncy"
	"NegativeMediumSpace"
	"NegativeThickSpace"
	"NegativeThinSpace"
	"NegativeVeryThinSpace"
	"NestedGreaterGreater"
	"NestedLessLess"
	"NewLine"
	"Nfr"
	"NoBreak"
	"NonBreakingSpace"
	"Nopf"
	"Not"
	"NotCongruent"
	"NotCupCap"
	"NotDoubleVerticalBar"
	"NotElement"
	"NotEqual"
	"NotEqualTilde"
	"NotExists"
	"NotGreater"
	"NotGreaterEqual"
	"NotGreaterFullEqual"
	"NotGreaterGreater"
	"NotGreaterLess"
	"NotGreaterSlantEqual"
	"NotGreaterTilde"
	"NotHumpDownHump"
	"NotHumpEqual"
	"NotLeftTriangle"
	"NotLeftTriangleBar"
	"NotLeftTriangleEqual"
	"NotLess"
	"NotLessEqual"
	"NotLessGreater"
	"NotLessLess"
	"NotLessSlantEqual"
	"NotLessTilde"
	"NotNestedGreaterGreater"
	"NotNestedLessLess"
	"NotPrecedes"
	"NotPrecedesEqual"
	"NotPrecedesSlantEqual"
	"NotReverseElement"
	"NotRightTriangle"
	"NotRightTriangleBar"
	"NotRightTriangleEqual"
	"NotSquareSubset"
	"NotSquareSubsetEqual"
	"NotSquareSuperset"
	"NotSquareSupersetEqual"
	"NotSubset"
	"NotSubsetEqual"
	"NotSucceeds"
	"NotSucceedsEqual"
	"NotSucceedsSlantEqual"
	"NotSucceedsTilde"
	"NotSuperset"
	"NotSupersetEqual"
	"NotTilde"
	"NotTildeEqual"
	"NotTildeFullEqual"
	"NotTildeTilde"
	"NotVerticalBar"
	"Nscr"
	"Ntilde"
	"Nu"
	"OElig"
	"Oacute"
	"Ocirc"
	"Ocy"
	"Odblac"
	"Ofr"
	"Ograve"
	"Omacr"
	"Omega"
	"Omicron"
	"Oopf"
	"OpenCurlyDoubleQuote"
	"OpenCurlyQuote"
	"Or"
	"Oscr"
	"Oslash"
	"Otilde"
	"Otimes"
	"Ouml"
	"OverBar"
	"OverBrace"
	"OverBracket"
	"OverParenthesis"
	"PartialD"
	"Pcy"
	"Pfr"
	"Phi"
	"Pi"
	"PlusMinus"
	"Poincareplane"
	"Popf"
	"Pr"
	"Precedes"
	"PrecedesEqual"
	"PrecedesSlantEqual"
	"PrecedesTilde"
	"Prime"
	"Product"
	"Proportion"
	"Proportional"
	"Pscr"
	"Psi"
	"QUOT"
	"Qfr"
	"Qopf"
	"Qscr"
	"RBarr"
	"REG"
	"Racute"
	"Rang"
	"Rarr"
	"Rarrtl"
	"Rcaron"
	"Rcedil"
	"Rcy"
	"Re"
	"ReverseElement"
	"ReverseEquilibrium"
	"ReverseUpEquilibrium"
	"Rfr"
	"Rho"
	"RightAngleBracket"
	"RightArrow"
	"RightArrowBar"
	"RightArrowLeftArrow"
	"RightCeiling"
	"RightDoubleBracket"
	"RightDownTeeVector"
	"RightDownVector"
	"RightDownVectorBar"
	"RightFloor"
	"RightTee"
	"RightTeeArrow"
	"RightTeeVector"
	"RightTriangle"
	"RightTriangleBar"
	"RightTriangleEqual"
	"RightUpDownVector"
	"RightUpTeeVector"
	"RightUpVector"
	"RightUpVectorBar"
	"RightVector"
	"RightVectorBar"
	"Rightarrow"
	"Ropf"
	"RoundImplies"
	"Rrightarrow"
	"Rscr"
	"Rsh"
	"RuleDelayed"
	"SHCHcy"
	"SHcy"
	"SOFTcy"
	"Sacute"
	"Sc"
	"Scaron"
	"Scedil"
	"Scirc"
	"Scy"
	"Sfr"
	"ShortDownArrow"
	"ShortLeftArrow"
	"ShortRightArrow"
	"ShortUpArrow"
	"Sigma"
	"SmallCircle"
	"Sopf"
	"Sqrt"
	"Square"
	"SquareIntersection"
	"SquareSubset"
	"SquareSubsetEqual"
	"SquareSuperset"
	"SquareSupersetEqual"
	"SquareUnion"
	"Sscr"
	"Star"
	"Sub"
	"Subset"
	"SubsetEqual"
	"Succeeds"
	"SucceedsEqual"
	"SucceedsSlantEqual"
	"SucceedsTilde"
	"SuchThat"
	"Sum"
	"Sup"
	"Superset"
	"SupersetEqual"
	"Supset"
	"THORN"
	"TRADE"
	"TSHcy"
	"TScy"
	"Tab"
	"Tau"
	"Tcaron"
	"Tcedil"
	"Tcy"
	"Tfr"
	"Therefore"
	"Theta"
	"ThickSpace"
	"ThinSpace"
	"Tilde"
	"TildeEqual"
	"TildeFullEqual"
	"TildeTilde"
	"Topf"
	"TripleDot"
	"Tscr"
	"Tstrok"
	"Uacute"
	"Uarr"
	"Uarrocir"
	"Ubrcy"
	"Ubreve"
	"Ucirc"
	"Ucy"
	"Udblac"
	"Ufr"
	"Ugrave"
	"Umacr"
	"UnderBar"
	"UnderBrace"
	"UnderBracket"
	"UnderParenthesis"
	"Union"
	"UnionPlus"
	"Uogon"
	"Uopf"
	"UpArrow"
	"UpArrowBar"
	"UpArrowDownArrow"
	"UpDownArrow"
	"UpEquilibrium"
	"UpTee"
	"UpTeeArrow"
	"Uparrow"
	"Updownarrow"
	"UpperLeftArrow"
	"UpperRightArrow"
	"Upsi"
	"Upsilon"
	"Uring"
	"Uscr"
	"Utilde"
	"Uuml"
	"VDash"
	"Vbar"
	"Vcy"
	"Vdash"
	"Vdashl"
	"Vee"
	"Verbar"
	"Vert"
	"VerticalBar"
	"VerticalLine"
	"VerticalSeparator"
	"VerticalTilde"
	"VeryThinSpace"
	"Vfr"
	"Vopf"
	"Vscr"
	"Vvdash"
	"Wcirc"
	"Wedge"
	"Wfr"
	"Wopf"
	"Wscr"
	"Xfr"
	"Xi"
	"Xopf"
	"Xscr"
	"YAcy"
	"YIcy"
	"YUcy"
	"Yacute"
	"Ycirc"
	"Ycy"
	"Yfr"
	"Yopf"
	"Yscr"
	"Yuml"
	"ZHcy"
	"Zacute"
	"Zcaron"
	"Zcy"
	"Zdot"
	"ZeroWidthSpace"
	"Zeta"
	"Zfr"
	"Zopf"
	"Zscr"
	"aacute"
	"abreve"
	"ac"
	"acE"
	"acd"
	"acirc"
	"acute"
	"acy"
	"aelig"
	"af"
	"afr"
	"agrave"
	"alefsym"
	"aleph"
	"alpha"
	"amacr"
	"amalg"
	"amp"
	"and"
	"andand"
	"andd"
	"andslope"
	"andv"
	"ang"
	"ange"
	"angle"
	"angmsd"
	"angmsdaa"
	"angmsdab"
	"angmsdac"
	"angmsdad"
	"angmsdae"
	"angmsdaf"
	"angmsdag"
	"angmsdah"
	"angrt"
	"angrtvb"
	"angrtvbd"
	"angsph"
	"angst"
	"angzarr"
	"aogon"
	"aopf"
	"ap"
	"apE"
	"apacir"
	"ape"
	"apid"
	"apos"
	"approx"
	"approxeq"
	"aring"
	"ascr"
	"ast"
	"asymp"
	"asympeq"
	"atilde"
	"auml"
	"awconint"
	"awint"
	"bNot"
	"backcong"
	"backepsilon"
	"backprime"
	"backsim"
	"backsimeq"
	"barvee"
	"barwed"
	"barwedge"
	"bbrk"
	"bbrktbrk"
	"bcong"
	"bcy"
	"bdquo"
	"becaus"
	"because"
	"bemptyv"
	"bepsi"
	"bernou"
	"beta"
	"beth"
	"between"
	"bfr"
	"bigcap"
	"bigcirc"
	"bigcup"
	"bigodot"
	"bigoplus"
	"bigotimes"
	"bigsqcup"
	"bigstar"
	"bigtriangledown"
	"bigtriangleup"
	"biguplus"
	"bigvee"
	"bigwedge"
	"bkarow"
	"blacklozenge"
	"blacksquare"
	"blacktriangle"
	"blacktriangledown"
	"blacktriangleleft"
	"blacktriangleright"
	"blank"
	"blk12"
	"blk14"
	"blk34"
	"block"
	"bne"
	"bnequiv"
	"bnot"
	"bopf"
	"bot"
	"bottom"
	"bowtie"
	"boxDL"
	"boxDR"
	"boxDl"
	"boxDr"
	"boxH"
	"boxHD"
	"boxHU"
	"boxHd"
	"boxHu"
	"boxUL"
	"boxUR"
	"boxUl"
	"boxUr"
	"boxV"
	"boxVH"
	"boxVL"
	"boxVR"
	"boxVh"
	"boxVl"
	"boxVr"
	"boxbox"
	"boxdL"
	"boxdR"
	"boxdl"
	"boxdr"
	"boxh"
	"boxhD"
	"boxhU"
	"boxhd"
	"boxhu"
	"boxminus"
	"boxplus"
	"boxtimes"
	"boxuL"
	"boxuR"
	"boxul"
	"boxur"
	"boxv"
	"boxvH"
	"boxvL"
	"boxvR"
	"boxvh"
	"boxvl"
	"boxvr"
	"bprime"
	"breve"
	"brvbar"
	"bscr"
	"bsemi"
	"bsim"
	"bsime"
	"bsol"
	"bsolb"
	"bsolhsub"
	"bull"
	"bullet"
	"bump"
	"bumpE"
	"bumpe"
	"bumpeq"
	"cacute"
	"cap"
	"capand"
	"capbrcup"
	"capcap"
	"capcup"
	"capdot"
	"caps"
	"caret"
	"caron"
	"ccaps"
	"ccaron"
	"ccedil"
	"ccirc"
	"ccups"
	"ccupssm"
	"cdot"
	"cedil"
	"cemptyv"
	"cent"
	"centerdot"
	"cfr"
	"chcy"
	"check"
	"checkmark"
	"chi"
	"cir"
	"cirE"
	"circ"
	"circeq"
	"circlearrowleft"
	"circlearrowright"
	"circledR"
	"circledS"
	"circledast"
	"circledcirc"
	"circleddash"
	"cire"
	"cirfnint"
	"cirmid"
	"cirscir"
	"clubs"
	"clubsuit"
	"colon"
	"colone"
	"coloneq"
	"comma"
	"commat"
	"comp"
	"compfn"
	"complement"
	"complexes"
	"cong"
	"congdot"
	"conint"
	"copf"
	"coprod"
	"copy"
	"copysr"
	"crarr"
	"cross"
	"cscr"
	"csub"
	"csube"
	"csup"
	"csupe"
	"ctdot"
	"cudarrl"
	"cudarrr"
	"cuepr"
	"cuesc"
	"cularr"
	"cularrp"
	"cup"
	"cupbrcap"
	"cupcap"
	"cupcup"
	"cupdot"
	"cupor"
	"cups"
	"curarr"
	"curarrm"
	"curlyeqprec"
	"curlyeqsucc"
	"curlyvee"
	"curlywedge"
	"curren"
	"curvearrowleft"
	"curvearrowright"
	"cuvee"
	"cuwed"
	"cwconint"
	"cwint"
	"cylcty"
	"dArr"
	"dHar"
	"dagger"
	"daleth"
	"darr"
	"dash"
	"dashv"
	"dbkarow"
	"dblac"
	"dcaron"
	"dcy"
	"dd"
	"ddagger"
	"ddarr"
	"ddotseq"
	"deg"
	"delta"
	"demptyv"
	"dfisht"
	"dfr"
	"dharl"
	"dharr"
	"diam"
	"diamond"
	"diamondsuit"
	"diams"
	"die"
	"digamma"
	"disin"
	"div"
	"divide"
	"divideontimes"
	"divonx"
	"djcy"
	"dlcorn"
	"dlcrop"
	"dollar"
	"dopf"
	"dot"
	"doteq"
	"doteqdot"
	"dotminus"
	"dotplus"
	"dotsquare"
	"doublebarwedge"
	"downarrow"
	"downdownarrows"
	"downharpoonleft"
	"downharpoonright"
	"drbkarow"
	"drcorn"
	"drcrop"
	"dscr"
	"dscy"
	"dsol"
	"dstrok"
	"dtdot"
	"dtri"
	"dtrif"
	"duarr"
	"duhar"
	"dwangle"
	"dzcy"
	"dzigrarr"
	"eDDot"
	"eDot"
	"eacute"
	"easter"
	"ecaron"
	"ecir"
	"ecirc"
	"ecolon"
	"ecy"
	"edot"
	"ee"
	"efDot"
	"efr"
	"eg"
	"egrave"
	"egs"
	"egsdot"
	"el"
	"elinters"
	"ell"
	"els"
	"elsdot"
	"emacr"
	"empty"
	"emptyset"
	"emptyv"
	"emsp"
	"emsp13"
	"emsp14"
	"eng"
	"ensp"
	"eogon"
	"eopf"
	"epar"
	"eparsl"
	"eplus"
	"epsi"
	"epsilon"
	"epsiv"
	"eqcirc"
	"eqcolon"
	"eqsim"
	"eqslantgtr"
	"eqslantless"
	"equals"
	"equest"
	"equiv"
	"equivDD"
	"eqvparsl"
	"erDot"
	"erarr"
	"escr"
	"esdot"
	"esim"
	"eta"
	"eth"
	"euml"
	"euro"
	"excl"
	"exist"
	"expectation"
	"exponentiale"
	"fallingdotseq"
	"fcy"
	"female"
	"ffilig"
	"fflig"
	"ffllig"
	"ffr"
	"filig"
	"fjlig"
	"flat"
	"fllig"
	"fltns"
	"fnof"
	"fopf"
	"forall"
	"fork"
	"forkv"
	"fpartint"
	"frac12"
	"frac13"
	"frac14"
	"frac15"
	"frac16"
	"frac18"
	"frac23"
	"frac25"
	"frac34"
	"frac35"
	"frac38"
	"frac45"
	"frac56"
	"frac58"
	"frac78"
	"frasl"
	"frown"
	"fscr"
	"gE"
	"gEl"
	"gacute"
	"gamma"
	"gammad"
	"gap"
	"gbreve"
	"gcirc"
	"gcy"
	"gdot"
	"ge"
	"gel"
	"geq"
	"geqq"
	"geqslant"
	"ges"
	"gescc"
	"gesdot"
	"gesdoto"
	"gesdotol"
	"gesl"
	"gesles"
	"gfr"
	"gg"
	"ggg"
	"gimel"
	"gjcy"
	"gl"
	"glE"
	"gla"
	"glj"
	"gnE"
	"gnap"
	"gnapprox"
	"gne"
	"gneq"
	"gneqq"
	"gnsim"
	"gopf"
	"grave"
	"gscr"
	"gsim"
	"gsime"
	"gsiml"
	"gt"
	"gtcc"
	"gtcir"
	"gtdot"
	"gtlPar"
	"gtquest"
	"gtrapprox"
	"gtrarr"
	"gtrdot"
	"gtreqless"
	"gtreqqless"
	"gtrless"
	"gtrsim"
	"gvertneqq"
	"gvnE"
	"hArr"
	"hairsp"
	"half"
	"hamilt"
	"hardcy"
	"harr"
	"harrcir"
	"harrw"
	"hbar"
	"hcirc"
	"hearts"
	"heartsuit"
	"hellip"
	"hercon"
	"hfr"
	"hksearow"
	"hkswarow"
	"hoarr"
	"homtht"
	"hookleftarrow"
	"hookrightarrow"
	"hopf"
	"horbar"
	"hscr"
	"hslash"
	"hstrok"
	"hybull"
	"hyphen"
	"iacute"
	"ic"
	"icirc"
	"icy"
	"iecy"
	"iexcl"
	"iff"
	"ifr"
	"igrave"
	"ii"
	"iiiint"
	"iiint"
	"iinfin"
	"iiota"
	"ijlig"
	"imacr"
	"image"
	"imagline"
	"imagpart"
	"imath"
	"imof"
	"imped"
	"in"
	"incare"
	"infin"
	"infintie"
	"inodot"
	"int"
	"intcal"
	"integers"
	"intercal"
	"intlarhk"
	"intprod"
	"iocy"
	"iogon"
	"iopf"
	"iota"
	"iprod"
	"iquest"
	"iscr"
	"isin"
	"isinE"
	"isindot"
	"isins"
	"isinsv"
	"isinv"
	"it"
	"itilde"
	"iukcy"
	"iuml"
	"jcirc"
	"jcy"
	"jfr"
	"jmath"
	"jopf"
	"jscr"
	"jsercy"
	"jukcy"
	"kappa"
	"kappav"
	"kcedil"
	"kcy"
	"kfr"
	"kgreen"
	"khcy"
	"kjcy"
	"kopf"
	"kscr"
	"lAarr"
	"lArr"
	"lAtail"
	"lBarr"
	"lE"
	"lEg"
	"lHar"
	"lacute"
	"laemptyv"
	"lagran"
	"lambda"
	"lang"
	"langd"
	"langle"
	"lap"
	"laquo"
	"larr"
	"larrb"
	"larrbfs"
	"larrfs"
	"larrhk"
	"larrlp"
	"larrpl"
	"larrsim"
	"larrtl"
	"lat"
	"latail"
	"late"
	"lates"
	"lbarr"
	"lbbrk"
	"lbrace"
	"lbrack"
	"lbrke"
	"lbrksld"
	"lbrkslu"
	"lcaron"
	"lcedil"
	"lceil"
	"lcub"
	"lcy"
	"ldca"
	"ldquo"
	"ldquor"
	"ldrdhar"
	"ldrushar"
	"ldsh"
	"le"
	"leftarrow"
	"leftarrowtail"
	"leftharpoondown"
	"leftharpoonup"
	"leftleftarrows"
	"leftrightarrow"
	"leftrightarrows"
	"leftrightharpoons"
	"leftrightsquigarrow"
	"leftthreetimes"
	"leg"
	"leq"
	"leqq"
	"leqslant"
	"les"
	"lescc"
	"lesdot"
	"lesdoto"
	"lesdotor"
	"lesg"
	"lesges"
	"lessapprox"
	"lessdot"
	"lesseqgtr"
	"lesseqqgtr"
	"lessgtr"
	"lesssim"
	"lfisht"
	"lfloor"
	"lfr"
	"lg"
	"lgE"
	"lhard"
	"lharu"
	"lharul"
	"lhblk"
	"ljcy"
	"ll"
	"llarr"
	"llcorner"
	"llhard"
	"lltri"
	"lmidot"
	"lmoust"
	"lmoustache"
	"lnE"
	"lnap"
	"lnapprox"
	"lne"
	"lneq"
	"lneqq"
	"lnsim"
	"loang"
	"loarr"
	"lobrk"
	"longleftarrow"
	"longleftrightarrow"
	"longmapsto"
	"longrightarrow"
	"looparrowleft"
	"looparrowright"
	"lopar"
	"lopf"
	"loplus"
	"lotimes"
	"lowast"
	"lowbar"
	"loz"
	"lozenge"
	"lozf"
	"lpar"
	"lparlt"
	"lrarr"
	"lrcorner"
	"lrhar"
	"lrhard"
	"lrm"
	"lrtri"
	"lsaquo"
	"lscr"
	"lsh"
	"lsim"
	"lsime"
	"lsimg"
	"lsqb"
	"lsquo"
	"lsquor"
	"lstrok"
	"lt"
	"ltcc"
	"ltcir"
	"ltdot"
	"lthree"
	"ltimes"
	"ltlarr"
	"ltquest"
	"ltrPar"
	"ltri"
	"ltrie"
	"ltrif"
	"lurdshar"
	"luruhar"
	"lvertneqq"
	"lvnE"
	"mDDot"
	"macr"
	"male"
	"malt"
	"maltese"
	"map"
	"mapsto"
	"mapstodown"
	"mapstoleft"
	"mapstoup"
	"marker"
	"mcomma"
	"mcy"
	"mdash"
	"measuredangle"
	"mfr"
	"mho"
	"micro"
	"mid"
	"midast"
	"midcir"
	"middot"
	"minus"
	"minusb"
	"minusd"
	"minusdu"
	"mlcp"
	"mldr"
	"mnplus"
	"models"
	"mopf"
	"mp"
	"mscr"
	"mstpos"
	"mu"
	"multimap"
	"mumap"
	"nGg"
	"nGt"
	"nGtv"
	"nLeftarrow"
	"nLeftrightarrow"
	"nLl"
	"nLt"
	"nLtv"
	"nRightarrow"
	"nVDash"
	"nVdash"
	"nabla"
	"nacute"
	"nang"
	"nap"
	"napE"
	"napid"
	"napos"
	"napprox"
	"natur"
	"natural"
	"naturals"
	"nbsp"
	"nbump"
	"nbumpe"
	"ncap"
	"ncaron"
	"ncedil"
	"ncong"
	"ncongdot"
	"ncup"
	"ncy"
	"ndash"
	"ne"
	"neArr"
	"nearhk"
	"nearr"
	"nearrow"
	"nedot"
	"nequiv"
	"nesear"
	"nesim"
	"nexist"
	"nexists"
	"nfr"
	"ngE"
	"nge"
	"ngeq"
	"ngeqq"
	"ngeqslant"
	"nges"
	"ngsim"
	"ngt"
	"ngtr"
	"nhArr"
	"nharr"
	"nhpar"
	"ni"
	"nis"
	"nisd"
	"niv"
	"njcy"
	"nlArr"
	"nlE"
	"nlarr"
	"nldr"
	"nle"
	"nleftarrow"
	"nleftrightarrow"
	"nleq"
	"nleqq"
	"nleqslant"
	"nles"
	"nless"
	"nlsim"
	"nlt"
	"nltri"
	"nltrie"
	"nmid"
	"nopf"
	"not"
	"notin"
	"notinE"
	"notindot"
	"notinva"
	"notinvb"
	"notinvc"
	"notni"
	"notniva"
	"notnivb"
	"notnivc"
	"npar"
	"nparallel"
	"nparsl"
	"npart"
	"npolint"
	"npr"
	"nprcue"
	"npre"
	"nprec"
	"npreceq"
	"nrArr"
	"nrarr"
	"nrarrc"
	"nrarrw"
	"nrightarrow"
	"nrtri"
	"nrtrie"
	"nsc"
	"nsccue"
	"nsce"
	"nscr"
	"nshortmid"
	"nshortparallel"
	"nsim"
	"nsime"
	"nsimeq"
	"nsmid"
	"nspar"
	"nsqsube"
	"nsqsupe"
	"nsub"
	"nsubE"
	"nsube"
	"nsubset"
	"nsubseteq"
	"nsubseteqq"
	"nsucc"
	"nsucceq"
	"nsup"
	"nsupE"
	"nsupe"
	"nsupset"
	"nsupseteq"
	"nsupseteqq"
	"ntgl"
	"ntilde"
	"ntlg"
	"ntriangleleft"
	"ntrianglelefteq"
	"ntriangleright"
	"ntrianglerighteq"
	"nu"
	"num"
	"numero"
	"numsp"
	"nvDash"
	"nvHarr"
	"nvap"
	"nvdash"
	"nvge"
	"nvgt"
	"nvinfin"
	"nvlArr"
	"nvle"
	"nvlt"
	"nvltrie"
	"nvrArr"
	"nvrtrie"
	"nvsim"
	"nwArr"
	"nwarhk"
	"nwarr"
	"nwarrow"
	"nwnear"
	"oS"
	"oacute"
	"oast"
	"ocir"
	"ocirc"
	"ocy"
	"odash"
	"odblac"
	"odiv"
	"odot"
	"odsold"
	"oelig"
	"ofcir"
	"ofr"
	"ogon"
	"ograve"
	"ogt"
	"ohbar"
	"ohm"
	"oint"
	"olarr"
	"olcir"
	"olcross"
	"oline"
	"olt"
	"omacr"
	"omega"
	"omicron"
	"omid"
	"ominus"
	"oopf"
	"opar"
	"operp"
	"oplus"
	"or"
	"orarr"
	"ord"
	"order"
	"orderof"
	"ordf"
	"ordm"
	"origof"
	"oror"
	"orslope"
	"orv"
	"oscr"
	"oslash"
	"osol"
	"otilde"
	"otimes"
	"otimesas"
	"ouml"
	"ovbar"
	"par"
	"para"
	"parallel"
	"parsim"
	"parsl"
	"part"
	"pcy"
	"percnt"
	"period"
	"permil"
	"perp"
	"pertenk"
	"pfr"
	"phi"
	"phiv"
	"phmmat"
	"phone"
	"pi"
	"pitchfork"
	"piv"
	"planck"
	"planckh"
	"plankv"
	"plus"
	"plusacir"
	"plusb"
	"pluscir"
	"plusdo"
	"plusdu"
	"pluse"
	"plusmn"
	"plussim"
	"plustwo"
	"pm"
	"pointint"
	"popf"
	"pound"
	"pr"
	"prE"
	"prap"
	"prcue"
	"pre"
	"prec"
	"precapprox"
	"preccurlyeq"
	"preceq"
	"precnapprox"
	"precneqq"
	"precnsim"
	"precsim"
	"prime"
	"primes"
	"prnE"
	"prnap"
	"prnsim"
	"prod"
	"profalar"
	"profline"
	"profsurf"
	"prop"
	"propto"
	"prsim"
	"prurel"
	"pscr"
	"psi"
	"puncsp"
	"qfr"
	"qint"
	"qopf"
	"qprime"
	"qscr"
	"quaternions"
	"quatint"
	"quest"
	"questeq"
	"quot"
	"rAarr"
	"rArr"
	"rAtail"
	"rBarr"
	"rHar"
	"race"
	"racute"
	"radic"
	"raemptyv"
	"rang"
	"rangd"
	"range"
	"rangle"
	"raquo"
	"rarr"
	"rarrap"
	"rarrb"
	"rarrbfs"
	"rarrc"
	"rarrfs"
	"rarrhk"
	"rarrlp"
	"rarrpl"
	"rarrsim"
	"rarrtl"
	"rarrw"
	"ratail"
	"ratio"
	"rationals"
	"rbarr"
	"rbbrk"
	"rbrace"
	"rbrack"
	"rbrke"
	"rbrksld"
	"rbrkslu"
	"rcaron"
	"rcedil"
	"rceil"
	"rcub"
	"rcy"
	"rdca"
	"rdldhar"
	"rdquo"
	"rdquor"
	"rdsh"
	"real"
	"realine"
	"realpart"
	"reals"
	"rect"
	"reg"
	"rfisht"
	"rfloor"
	"rfr"
	"rhard"
	"rharu"
	"rharul"
	"rho"
	"rhov"
	"rightarrow"
	"rightarrowtail"
	"rightharpoondown"
	"rightharpoonup"
	"rightleftarrows"
	"rightleftharpoons"
	"rightrightarrows"
	"rightsquigarrow"
	"rightthreetimes"
	"ring"
	"risingdotseq"
	"rlarr"
	"rlhar"
	"rlm"
	"rmoust"
	"rmoustache"
	"rnmid"
	"roang"
	"roarr"
	"robrk"
	"ropar"
	"ropf"
	"roplus"
	"rotimes"
	"rpar"
	"rpargt"
	"rppolint"
	"rrarr"
	"rsaquo"
	"rscr"
	"rsh"
	"rsqb"
	"rsquo"
	"rsquor"
	"rthree"
	"rtimes"
	"rtri"
	"rtrie"
	"rtrif"
	"rtriltri"
	"ruluhar"
	"rx"
	"sacute"
	"sbquo"
	"sc"
	"scE"
	"scap"
	"scaron"
	"sccue"
	"sce"
	"scedil"
	"scirc"
	"scnE"
	"scnap"
	"scnsim"
	"scpolint"
	"scsim"
	"scy"
	"sdot"
	"sdotb"
	"sdote"
	"seArr"
	"searhk"
	"searr"
	"searrow"
	"sect"
	"semi"
	"seswar"
	"setminus"
	"setmn"
	"sext"
	"sfr"
	"sfrown"
	"sharp"
	"shchcy"
	"shcy"
	"shortmid"
	"shortparallel"
	"shy"
	"sigma"
	"sigmaf"
	"sigmav"
	"sim"
	"simdot"
	"sime"
	"simeq"
	"simg"
	"simgE"
	"siml"
	"simlE"
	"simne"
	"simplus"
	"simrarr"
	"slarr"
	"smallsetminus"
	"smashp"
	"smeparsl"
	"smid"
	"smile"
	"smt"
	"smte"
	"smtes"
	"softcy"
	"sol"
	"solb"
	"solbar"
	"sopf"
	"spades"
	"spadesuit"
	"spar"
	"sqcap"
	"sqcaps"
	"sqcup"
	"sqcups"
	"sqsub"
	"sqsube"
	"sqsubset"
	"sqsubseteq"
	"sqsup"
	"sqsupe"
	"sqsupset"
	"sqsupseteq"
	"squ"
	"square"
	"squarf"
	"squf"
	"srarr"
	"sscr"
	"ssetmn"
	"ssmile"
	"sstarf"
	"star"
	"starf"
	"straightepsilon"
	"straightphi"
	"strns"
	"sub"
	"subE"
	"subdot"
	"sube"
	"subedot"
	"submult"
	"subnE"
	"subne"
	"subplus"
	"subrarr"
	"subset"
	"subseteq"
	"subseteqq"
	"subsetneq"
	"subsetneqq"
	"subsim"
	"subsub"
	"subsup"
	"succ"
	"succapprox"
	"succcurlyeq"
	"succeq"
	"succnapprox"
	"succneqq"
	"succnsim"
	"succsim"
	"sum"
	"sung"
	"sup"
	"sup1"
	"sup2"
	"sup3"
	"supE"
	"supdot"
	"supdsub"
	"supe"
	"supedot"
	"suphsol"
	"suphsub"
	"suplarr"
	"supmult"
	"supnE"
	"supne"
	"supplus"
	"supset"
	"supseteq"
	"supseteqq"
	"supsetneq"
	"supsetneqq"
	"supsim"
	"supsub"
	"supsup"
	"swArr"
	"swarhk"
	"swarr"
	"swarrow"
	"swnwar"
	"szlig"
	"target"
	"tau"
	"tbrk"
	"tcaron"
	"tcedil"
	"tcy"
	"tdot"
	"telrec"
	"tfr"
	"there4"
	"therefore"
	"theta"
	"thetasym"
	"thetav"
	"thickapprox"
	"thicksim"
	"thinsp"
	"thkap"
	"thksim"
	"thorn"
	"tilde"
	"times"
	"timesb"
	"timesbar"
	"timesd"
	"tint"
	"toea"
	"top"
	"topbot"
	"topcir"
	"topf"
	"topfork"
	"tosa"
	"tprime"
	"trade"
	"triangle"
	"triangledown"
	"triangleleft"
	"trianglelefteq"
	"triangleq"
	"triangleright"
	"trianglerighteq"
	"tridot"
	"trie"
	"triminus"
	"triplus"
	"trisb"
	"tritime"
	"trpezium"
	"tscr"
	"tscy"
	"tshcy"
	"tstrok"
	"twixt"
	"twoheadleftarrow"
	"twoheadrightarrow"
	"uArr"
	"uHar"
	"uacute"
	"uarr"
	"ubrcy"
	"ubreve"
	"ucirc"
	"ucy"
	"udarr"
	"udblac"
	"udhar"
	"ufisht"
	"ufr"
	"ugrave"
	"uharl"
	"uharr"
	"uhblk"
	"ulcorn"
	"ulcorner"
	"ulcrop"
	"ultri"
	"umacr"
	"uml"
	"uogon"
	"uopf"
	"uparrow"
	"updownarrow"
	"upharpoonleft"
	"upharpoonright"
	"uplus"
	"upsi"
	"upsih"
	"upsilon"
	"upuparrows"
	"urcorn"
	"urcorner"
	"urcrop"
	"uring"
	"urtri"
	"uscr"
	"utdot"
	"utilde"
	"utri"
	"utrif"
	"uuarr"
	"uuml"
	"uwangle"
	"vArr"
	"vBar"
	"vBarv"
	"vDash"
	"vangrt"
	"varepsilon"
	"varkappa"
	"varnothing"
	"varphi"
	"varpi"
	"varpropto"
	"varr"
	"varrho"
	"varsigma"
	"varsubsetneq"
	"varsubsetneqq"
	"varsupsetneq"
	"varsupsetneqq"
	"vartheta"
	"vartriangleleft"
	"vartriangleright"
	"vcy"
	"vdash"
	"vee"
	"veebar"
	"veeeq"
	"vellip"
	"verbar"
	"vert"
	"vfr"
	"vltri"
	"vnsub"
	"vnsup"
	"vopf"
	"vprop"
	"vrtri"
	"vscr"
	"vsubnE"
	"vsubne"
	"vsupnE"
	"vsupne"
	"vzigzag"
	"wcirc"
	"wedbar"
	"wedge"
	"wedgeq"
	"weierp"
	"wfr"
	"wopf"
	"wp"
	"wr"
	"wreath"
	"wscr"
	"xcap"
	"xcirc"
	"xcup"
	"xdtri"
	"xfr"
	"xhArr"
	"xharr"
	"xi"
	"xlArr"
	"xlarr"
	"xmap"
	"xnis"
	"xodot"
	"xopf"
	"xoplus"
	"xotime"
	"xrArr"
	"xrarr"
	"xscr"
	"xsqcup"
	"xuplus"
	"xutri"
	"xvee"
	"xwedge"
	"yacute"
	"yacy"
	"ycirc"
	"ycy"
	"yen"
	"yfr"
	"yicy"
	"yopf"
	"yscr"
	"yucy"
	"yuml"
	"zacute"
	"zcaron"
	"zcy"
	"zdot"
	"zeetrf"
	"zeta"
	"zfr"
	"zhcy"
	"zigrarr"
	"zopf"
	"zscr"
	"zwj"
	"zwnj"
	;

static const struct entity entity_table[] = {
	{ 0, 5, 1, 0xC6, 0x0 },
	{ 5, 3, 1, 0x26, 0x0 },
	{ 8, 6, 1, 0xC1, 0x0 },
	{ 14, 6, 0, 0x102, 0x0 },
	{ 20, 5, 1, 0xC2, 0x0 },
	{ 25, 3, 0, 0x410, 0x0 },
	{ 28, 3, 0, 0x1D504, 0x0 },
	{ 31, 6, 1, 0xC0, 0x0 },
	{ 37, 5, 0, 0x391, 0x0 },
	{ 42, 5, 0, 0x100, 0x0 },
	{ 47, 3, 0, 0x2A53, 0x0 },
	{ 50, 5, 0, 0x104, 0x0 },
	{ 55, 4, 0, 0x1D538, 0x0 },
	{ 59, 13, 0, 0x2061, 0x0 },
	{ 72, 5, 1, 0xC5, 0x0 },
	{ 77, 4, 0, 0x1D49C, 0x0 },
	{ 81, 6, 0, 0x2254, 0x0 },
	{ 87, 6, 1, 0xC3, 0x0 },
	{ 93, 4, 1, 0xC4, 0x0 },
	{ 97, 9, 0, 0x2216, 0x0 },
	{ 106, 4, 0, 0x2AE7, 0x0 },
	{ 110, 6, 0, 0x2306, 0x0 },
	{ 116, 3, 0, 0x411, 0x0 },
	{ 119, 7, 0, 0x2235, 0x0 },
	{ 126, 10, 0, 0x212C, 0x0 },
	{ 136, 4, 0, 0x392, 0x0 },
	{ 140, 3, 0, 0x1D505, 0x0 },
	{ 143, 4, 0, 0x1D539, 0x0 },
	{ 147, 5, 0, 0x2D8, 0x0 },
	{ 152, 4, 0, 0x212C, 0x0 },
	{ 156, 6, 0, 0x224E, 0x0 },
	{ 162, 4, 0, 0x427, 0x0 },
	{ 166, 4, 1, 0xA9, 0x0 },
	{ 170, 6, 0, 0x106, 0x0 },
	{ 176, 3, 0, 0x22D2, 0x0 },
	{ 179, 20, 0, 0x2145, 0x0 },
	{ 199, 7, 0, 0x212D, 0x0 },
	{ 206, 6, 0, 0x10C, 0x0 },
	{ 212, 6, 1, 0xC7, 0x0 },
	{ 218, 5, 0, 0x108, 0x0 },
	{ 223, 7, 0, 0x2230, 0x0 },
	{ 230, 4, 0, 0x10A, 0x0 },
	{ 234, 7, 0, 0xB8, 0x0 },
	{ 241, 9, 0, 0xB7, 0x0 },
	{ 250, 3, 0, 0x212D, 0x0 },
	{ 253, 3, 0, 0x3A7, 0x0 },
	{ 256, 9, 0, 0x2299, 0x0 },
	{ 265, 11, 0, 0x2296, 0x0 },
	{ 276, 10, 0, 0x2295, 0x0 },
	{ 286, 11, 0, 0x2297, 0x0 },
	{ 297, 24, 0, 0x2232, 0x0 },
	{ 321, 21, 0, 0x201D, 0x0 },
	{ 342, 15, 0, 0x2019, 0x0 },
	{ 357, 5, 0, 0x2237, 0x0 },
	{ 362, 6, 0, 0x2A74, 0x0 },
	{ 368, 9, 0, 0x2261, 0x0 },
	{ 377, 6, 0, 0x222F, 0x0 },
	{ 383, 15, 0, 0x222E, 0x0 },
	{ 398, 4, 0, 0x2102, 0x0 },
	{ 402, 9, 0, 0x2210, 0x0 },
	{ 411, 31, 0, 0x2233, 0x0 },
	{ 442, 5, 0, 0x2A2F, 0x0 },
	{ 447, 4, 0, 0x1D49E, 0x0 },
	{ 451, 3, 0, 0x22D3, 0x0 },
	{ 454, 6, 0, 0x224D, 0x0 },
	{ 460, 2, 0, 0x2145, 0x0 },
	{ 462, 8, 0, 0x2911, 0x0 },
	{ 470, 4, 0, 0x402, 0x0 },
	{ 474, 4, 0, 0x405, 0x0 },
	{ 478, 4, 0, 0x40F, 0x0 },
	{ 482, 6, 0, 0x2021, 0x0 },
	{ 488, 4, 0, 0x21A1, 0x0 },
	{ 492, 5, 0, 0x2AE4, 0x0 },
	{ 497, 6, 0, 0x10E, 0x0 },
	{ 503, 3, 0, 0x414, 0x0 },
	{ 506, 3, 0, 0x2207, 0x0 },
	{ 509, 5, 0, 0x394, 0x0 },
	{ 514, 3, 0, 0x1D507, 0x0 },
	{ 517, 16, 0, 0xB4, 0x0 },
	{ 533, 14, 0, 0x2D9, 0x0 },
	{ 547, 22, 0, 0x2DD, 0x0 },
	{ 569, 16, 0, 0x60, 0x0 },
	{ 585, 16, 0, 0x2DC, 0x0 },
	{ 601, 7, 0, 0x22C4, 0x0 },
	{ 608, 13, 0, 0x2146, 0x0 },
	{ 621, 4, 0, 0x1D53B, 0x0 },
	{ 625, 3, 0, 0xA8, 0x0 },
	{ 628, 6, 0, 0x20DC, 0x0 },
	{ 634, 8, 0, 0x2250, 0x0 },
	{ 642, 21, 0, 0x222F, 0x0 },
	{ 663, 9, 0, 0xA8, 0x0 },
	{ 672, 15, 0, 0x21D3, 0x0 },
	{ 687, 15, 0, 0x21D0, 0x0 },
	{ 702, 20, 0, 0x21D4, 0x0 },
	{ 722, 13, 0, 0x2AE4, 0x0 },
	{ 735, 19, 0, 0x27F8, 0x0 },
	{ 754, 24, 0, 0x27FA, 0x0 },
	{ 778, 20, 0, 0x27F9, 0x0 },
	{ 798, 16, 0, 0x21D2, 0x0 },
	{ 814, 14, 0, 0x22A8, 0x0 },
	{ 828, 13, 0, 0x21D1, 0x0 },
	{ 841, 17, 0, 0x21D5, 0x0 },
	{ 858, 17, 0, 0x2225, 0x0 },
	{ 875, 9, 0, 0x2193, 0x0 },
	{ 884, 12, 0, 0x2913, 0x0 },
	{ 896, 16, 0, 0x21F5, 0x0 },
	{ 912, 9, 0, 0x311, 0x0 },
	{ 921, 19, 0, 0x2950, 0x0 },
	{ 940, 17, 0, 0x295E, 0x0 },
	{ 957, 14, 0, 0x21BD, 0x0 },
	{ 971, 17, 0, 0x2956, 0x0 },
	{ 988, 18, 0, 0x295F, 0x0 },
	{ 1006, 15, 0, 0x21C1, 0x0 },
	{ 1021, 18, 0, 0x2957, 0x0 },
	{ 1039, 7, 0, 0x22A4, 0x0 },
	{ 1046, 12, 0, 0x21A7, 0x0 },
	{ 1058, 9, 0, 0x21D3, 0x0 },
	{ 1067, 4, 0, 0x1D49F, 0x0 },
	{ 1071, 6, 0, 0x110, 0x0 },
	{ 1077, 3, 0, 0x14A, 0x0 },
	{ 1080, 3, 1, 0xD0, 0x0 },
	{ 1083, 6, 1, 0xC9, 0x0 },
	{ 1089, 6, 0, 0x11A, 0x0 },
	{ 1095, 5, 1, 0xCA, 0x0 },
	{ 1100, 3, 0, 0x42D, 0x0 },
	{ 1103, 4, 0, 0x116, 0x0 },
	{ 1107, 3, 0, 0x1D508, 0x0 },
	{ 1110, 6, 1, 0xC8, 0x0 },
	{ 1116, 7, 0, 0x2208, 0x0 },
	{ 1123, 5, 0, 0x112, 0x0 },
	{ 1128, 16, 0, 0x25FB, 0x0 },
	{ 1144, 20, 0, 0x25AB, 0x0 },
	{ 1164, 5, 0, 0x118, 0x0 },
	{ 1169, 4, 0, 0x1D53C, 0x0 },
	{ 1173, 7, 0, 0x395, 0x0 },
	{ 1180, 5, 0, 0x2A75, 0x0 },
	{ 1185, 10, 0, 0x2242, 0x0 },
	{ 1195, 11, 0, 0x21CC, 0x0 },
	{ 1206, 4, 0, 0x2130, 0x0 },
	{ 1210, 4, 0, 0x2A73, 0x0 },
	{ 1214, 3, 0, 0x397, 0x0 },
	{ 1217, 4, 1, 0xCB, 0x0 },
	{ 1221, 6, 0, 0x2203, 0x0 },
	{ 1227, 12, 0, 0x2147, 0x0 },
	{ 1239, 3, 0, 0x424, 0x0 },
	{ 1242, 3, 0, 0x1D509, 0x0 },
	{ 1245, 17, 0, 0x25FC, 0x0 },
	{ 1262, 21, 0, 0x25AA, 0x0 },
	{ 1283, 4, 0, 0x1D53D, 0x0 },
	{ 1287, 6, 0, 0x2200, 0x0 },
	{ 1293, 10, 0, 0x2131, 0x0 },
	{ 1303, 4, 0, 0x2131, 0x0 },
	{ 1307, 4, 0, 0x403, 0x0 },
	{ 1311, 2, 1, 0x3E, 0x0 },
	{ 1313, 5, 0, 0x393, 0x0 },
	{ 1318, 6, 0, 0x3DC, 0x0 },
	{ 1324, 6, 0, 0x11E, 0x0 },
	{ 1330, 6, 0, 0x122, 0x0 },
	{ 1336, 5, 0, 0x11C, 0x0 },
	{ 1341, 3, 0, 0x413, 0x0 },
	{ 1344, 4, 0, 0x120, 0x0 },
	{ 1348, 3, 0, 0x1D50A, 0x0 },
	{ 1351, 2, 0, 0x22D9, 0x0 },
	{ 1353, 4, 0, 0x1D53E, 0x0 },
	{ 1357, 12, 0, 0x2265, 0x0 },
	{ 1369, 16, 0, 0x22DB, 0x0 },
	{ 1385, 16, 0, 0x2267, 0x0 },
	{ 1401, 14, 0, 0x2AA2, 0x0 },
	{ 1415, 11, 0, 0x2277, 0x0 },
	{ 1426, 17, 0, 0x2A7E, 0x0 },
	{ 1443, 12, 0, 0x2273, 0x0 },
	{ 1455, 4, 0, 0x1D4A2, 0x0 },
	{ 1459, 2, 0, 0x226B, 0x0 },
	{ 1461, 6, 0, 0x42A, 0x0 },
	{ 1467, 5, 0, 0x2C7, 0x0 },
	{ 1472, 3, 0, 0x5E, 0x0 },
	{ 1475, 5, 0, 0x124, 0x0 },
	{ 1480, 3, 0, 0x210C, 0x0 },
	{ 1483, 12, 0, 0x210B, 0x0 },
	{ 1495, 4, 0, 0x210D, 0x0 },
	{ 1499, 14, 0, 0x2500, 0x0 },
	{ 1513, 4, 0, 0x210B, 0x0 },
	{ 1517, 6, 0, 0x126, 0x0 },
	{ 1523, 12, 0, 0x224E, 0x0 },
	{ 1535, 9, 0, 0x224F, 0x0 },
	{ 1544, 4, 0, 0x415, 0x0 },
	{ 1548, 5, 0, 0x132, 0x0 },
	{ 1553, 4, 0, 0x401, 0x0 },
	{ 1557, 6, 1, 0xCD, 0x0 },
	{ 1563, 5, 1, 0xCE, 0x0 },
	{ 1568, 3, 0, 0x418, 0x0 },
	{ 1571, 4, 0, 0x130, 0x0 },
	{ 1575, 3, 0, 0x2111, 0x0 },
	{ 1578, 6, 1, 0xCC, 0x0 },
	{ 1584, 2, 0, 0x2111, 0x0 },
	{ 1586, 5, 0, 0x12A, 0x0 },
	{ 1591, 10, 0, 0x2148, 0x0 },
	{ 1601, 7, 0, 0x21D2, 0x0 },
	{ 1608, 3, 0, 0x222C, 0x0 },
	{ 1611, 8, 0, 0x222B, 0x0 },
	{ 1619, 12, 0, 0x22C2, 0x0 },
	{ 1631, 14, 0, 0x2063, 0x0 },
	{ 1645, 14, 0, 0x2062, 0x0 },
	{ 1659, 5, 0, 0x12E, 0x0 },
	{ 1664, 4, 0, 0x1D540, 0x0 },
	{ 1668, 4, 0, 0x399, 0x0 },
	{ 1672, 4, 0, 0x2110, 0x0 },
	{ 1676, 6, 0, 0x128, 0x0 },
	{ 1682, 5, 0, 0x406, 0x0 },
	{ 1687, 4, 1, 0xCF, 0x0 },
	{ 1691, 5, 0, 0x134, 0x0 },
	{ 1696, 3, 0, 0x419, 0x0 },
	{ 1699, 3, 0, 0x1D50D, 0x0 },
	{ 1702, 4, 0, 0x1D541, 0x0 },
	{ 1706, 4, 0, 0x1D4A5, 0x0 },
	{ 1710, 6, 0, 0x408, 0x0 },
	{ 1716, 5, 0, 0x404, 0x0 },
	{ 1721, 4, 0, 0x425, 0x0 },
	{ 1725, 4, 0, 0x40C, 0x0 },
	{ 1729, 5, 0, 0x39A, 0x0 },
	{ 1734, 6, 0, 0x136, 0x0 },
	{ 1740, 3, 0, 0x41A, 0x0 },
	{ 1743, 3, 0, 0x1D50E, 0x0 },
	{ 1746, 4, 0, 0x1D542, 0x0 },
	{ 1750, 4, 0, 0x1D4A6, 0x0 },
	{ 1754, 4, 0, 0x409, 0x0 },
	{ 1758, 2, 1, 0x3C, 0x0 },
	{ 1760, 6, 0, 0x139, 0x0 },
	{ 1766, 6, 0, 0x39B, 0x0 },
	{ 1772, 4, 0, 0x27EA, 0x0 },
	{ 1776, 10, 0, 0x2112, 0x0 },
	{ 1786, 4, 0, 0x219E, 0x0 },
	{ 1790, 6, 0, 0x13D, 0x0 },
	{ 1796, 6, 0, 0x13B, 0x0 },
	{ 1802, 3, 0, 0x41B, 0x0 },
	{ 1805, 16, 0, 0x27E8, 0x0 },
	{ 1821, 9, 0, 0x2190, 0x0 },
	{ 1830, 12, 0, 0x21E4, 0x0 },
	{ 1842, 19, 0, 0x21C6, 0x0 },
	{ 1861, 11, 0, 0x2308, 0x0 },
	{ 1872, 17, 0, 0x27E6, 0x0 },
	{ 1889, 17, 0, 0x2961, 0x0 },
	{ 1906, 14, 0, 0x21C3, 0x0 },
	{ 1920, 17, 0, 0x2959, 0x0 },
	{ 1937, 9, 0, 0x230A, 0x0 },
	{ 1946, 14, 0, 0x2194, 0x0 },
	{ 1960, 15, 0, 0x294E, 0x0 },
	{ 1975, 7, 0, 0x22A3, 0x0 },
	{ 1982, 12, 0, 0x21A4, 0x0 },
	{ 1994, 13, 0, 0x295A, 0x0 },
	{ 2007, 12, 0, 0x22B2, 0x0 },
	{ 2019, 15, 0, 0x29CF, 0x0 },
	{ 2034, 17, 0, 0x22B4, 0x0 },
	{ 2051, 16, 0, 0x2951, 0x0 },
	{ 2067, 15, 0, 0x2960, 0x0 },
	{ 2082, 12, 0, 0x21BF, 0x0 },
	{ 2094, 15, 0, 0x2958, 0x0 },
	{ 2109, 10, 0, 0x21BC, 0x0 },
	{ 2119, 13, 0, 0x2952, 0x0 },
	{ 2132, 9, 0, 0x21D0, 0x0 },
	{ 2141, 14, 0, 0x21D4, 0x0 },
	{ 2155, 16, 0, 0x22DA, 0x0 },
	{ 2171, 13, 0, 0x2266, 0x0 },
	{ 2184, 11, 0, 0x2276, 0x0 },
	{ 2195, 8, 0, 0x2AA1, 0x0 },
	{ 2203, 14, 0, 0x2A7D, 0x0 },
	{ 2217, 9, 0, 0x2272, 0x0 },
	{ 2226, 3, 0, 0x1D50F, 0x0 },
	{ 2229, 2, 0, 0x22D8, 0x0 },
	{ 2231, 10, 0, 0x21DA, 0x0 },
	{ 2241, 6, 0, 0x13F, 0x0 },
	{ 2247, 13, 0, 0x27F5, 0x0 },
	{ 2260, 18, 0, 0x27F7, 0x0 },
	{ 2278, 14, 0, 0x27F6, 0x0 },
	{ 2292, 13, 0, 0x27F8, 0x0 },
	{ 2305, 18, 0, 0x27FA, 0x0 },
	{ 2323, 14, 0, 0x27F9, 0x0 },
	{ 2337, 4, 0, 0x1D543, 0x0 },
	{ 2341, 14, 0, 0x2199, 0x0 },
	{ 2355, 15, 0, 0x2198, 0x0 },
	{ 2370, 4, 0, 0x2112, 0x0 },
	{ 2374, 3, 0, 0x21B0, 0x0 },
	{ 2377, 6, 0, 0x141, 0x0 },
	{ 2383, 2, 0, 0x226A, 0x0 },
	{ 2385, 3, 0, 0x2905, 0x0 },
	{ 2388, 3, 0, 0x41C, 0x0 },
	{ 2391, 11, 0, 0x205F, 0x0 },
	{ 2402, 9, 0, 0x2133, 0x0 },
	{ 2411, 3, 0, 0x1D510, 0x0 },
	{ 2414, 9, 0, 0x2213, 0x0 },
	{ 2423, 4, 0, 0x1D544, 0x0 },
	{ 2427, 4, 0, 0x2133, 0x0 },
	{ 2431, 2, 0, 0x39C, 0x0 },
	{ 2433, 4, 0, 0x40A, 0x0 },
	{ 2437, 6, 0, 0x143, 0x0 },
	{ 2443, 6, 0, 0x147, 0x0 },
	{ 2449, 6, 0, 0x145, 0x0 },
	{ 2455, 3, 0, 0x41D, 0x0 },
	{ 2458, 19, 0, 0x200B, 0x0 },
	{ 2477, 18, 0, 0x200B, 0x0 },
	{ 2495, 17, 0, 0x200B, 0x0 },
	{ 2512, 21, 0, 0x200B, 0x0 },
	{ 2533, 20, 0, 0x226B, 0x0 },
	{ 2553, 14, 0, 0x226A, 0x0 },
	{ 2567, 7, 0, 0xA, 0x0 },
	{ 2574, 3, 0, 0x1D511, 0x0 },
	{ 2577, 7, 0, 0x2060, 0x0 },
	{ 2584, 16, 0, 0xA0, 0x0 },
	{ 2600, 4, 0, 0x2115, 0x0 },
	{ 2604, 3, 0, 0x2AEC, 0x0 },
	{ 2607, 12, 0, 0x2262, 0x0 },
	{ 2619, 9, 0, 0x226D, 0x0 },
	{ 2628, 20, 0, 0x2226, 0x0 },
	{ 2648, 10, 0, 0x2209, 0x0 },
	{ 2658, 8, 0, 0x2260, 0x0 },
	{ 2666, 13, 0, 0x2242, 0x338 },
	{ 2679, 9, 0, 0x2204, 0x0 },
	{ 2688, 10, 0, 0x226F, 0x0 },
	{ 2698, 15, 0, 0x2271, 0x0 },
	{ 2713, 19, 0, 0x2267, 0x338 },
	{ 2732, 17, 0, 0x226B, 0x338 },
	{ 2749, 14, 0, 0x2279, 0x0 },
	{ 2763, 20, 0, 0x2A7E, 0x338 },
	{ 2783, 15, 0, 0x2275, 0x0 },
	{ 2798, 15, 0, 0x224E, 0x338 },
	{ 2813, 12, 0, 0x224F, 0x338 },
	{ 2825, 15, 0, 0x22EA, 0x0 },
	{ 2840, 18, 0, 0x29CF, 0x338 },
	{ 2858, 20, 0, 0x22EC, 0x0 },
	{ 2878, 7, 0, 0x226E, 0x0 },
	{ 2885, 12, 0, 0x2270, 0x0 },
	{ 2897, 14, 0, 0x2278, 0x0 },
	{ 2911, 11, 0, 0x226A, 0x338 },
	{ 2922, 17, 0, 0x2A7D, 0x338 },
	{ 2939, 12, 0, 0x2274, 0x0 },
	{ 2951, 23, 0, 0x2AA2, 0x338 },
	{ 2974, 17, 0, 0x2AA1, 0x338 },
	{ 2991, 11, 0, 0x2280, 0x0 },
	{ 3002, 16, 0, 0x2AAF, 0x338 },
	{ 3018, 21, 0, 0x22E0, 0x0 },
	{ 3039, 17, 0, 0x220C, 0x0 },
	{ 3056, 16, 0, 0x22EB, 0x0 },
	{ 3072, 19, 0, 0x29D0, 0x338 },
	{ 3091, 21, 0, 0x22ED, 0x0 },
	{ 3112, 15, 0, 0x228F, 0x338 },
	{ 3127, 20, 0, 0x22E2, 0x0 },
	{ 3147, 17, 0, 0x2290, 0x338 },
	{ 3164, 22, 0, 0x22E3, 0x0 },
	{ 3186, 9, 0, 0x2282, 0x20D2 },
	{ 3195, 14, 0, 0x2288, 0x0 },
	{ 3209, 11, 0, 0x2281, 0x0 },
	{ 3220, 16, 0, 0x2AB0, 0x338 },
	{ 3236, 21, 0, 0x22E1, 0x0 },
	{ 3257, 16, 0, 0x227F, 0x338 },
	{ 3273, 11, 0, 0x2283, 0x20D2 },
	{ 3284, 16, 0, 0x2289, 0x0 },
	{ 3300, 8, 0, 0x2241, 0x0 },
	{ 3308, 13, 0, 0x2244, 0x0 },
	{ 3321, 17, 0, 0x2247, 0x0 },
	{ 3338, 13, 0, 0x2249, 0x0 },
	{ 3351, 14, 0, 0x2224, 0x0 },
	{ 3365, 4, 0, 0x1D4A9, 0x0 },
	{ 3369, 6, 1, 0xD1, 0x0 },
	{ 3375, 2, 0, 0x39D, 0x0 },
	{ 3377, 5, 0, 0x152, 0x0 },
	{ 3382, 6, 1, 0xD3, 0x0 },
	{ 3388, 5, 1, 0xD4, 0x0 },
	{ 3393, 3, 0, 0x41E, 0x0 },
	{ 3396, 6, 0, 0x150, 0x0 },
	{ 3402, 3, 0, 0x1D512, 0x0 },
	{ 3405, 6, 1, 0xD2, 0x0 },
	{ 3411, 5, 0, 0x14C, 0x0 },
	{ 3416, 5, 0, 0x3A9, 0x0 },
	{ 3421, 7, 0, 0x39F, 0x0 },
	{ 3428, 4, 0, 0x1D546, 0x0 },
	{ 3432, 20, 0, 0x201C, 0x0 },
	{ 3452, 14, 0, 0x2018, 0x0 },
	{ 3466, 2, 0, 0x2A54, 0x0 },
	{ 3468, 4, 0, 0x1D4AA, 0x0 },
	{ 3472, 6, 1, 0xD8, 0x0 },
	{ 3478, 6, 1, 0xD5, 0x0 },
	{ 3484, 6, 0, 0x2A37, 0x0 },
	{ 3490, 4, 1, 0xD6, 0x0 },
	{ 3494, 7, 0, 0x203E, 0x0 },
	{ 3501, 9, 0, 0x23DE, 0x0 },
	{ 3510, 11, 0, 0x23B4, 0x0 },
	{ 3521, 15, 0, 0x23DC, 0x0 },
	{ 3536, 8, 0, 0x2202, 0x0 },
	{ 3544, 3, 0, 0x41F, 0x0 },
	{ 3547, 3, 0, 0x1D513, 0x0 },
	{ 3550, 3, 0, 0x3A6, 0x0 },
	{ 3553, 2, 0, 0x3A0, 0x0 },
	{ 3555, 9, 0, 0xB1, 0x0 },
	{ 3564, 13, 0, 0x210C, 0x0 },
	{ 3577, 4, 0, 0x2119, 0x0 },
	{ 3581, 2, 0, 0x2ABB, 0x0 },
	{ 3583, 8, 0, 0x227A, 0x0 },
	{ 3591, 13, 0, 0x2AAF, 0x0 },
	{ 3604, 18, 0, 0x227C, 0x0 },
	{ 3622, 13, 0, 0x227E, 0x0 },
	{ 3635, 5, 0, 0x2033, 0x0 },
	{ 3640, 7, 0, 0x220F, 0x0 },
	{ 3647, 10, 0, 0x2237, 0x0 },
	{ 3657, 12, 0, 0x221D, 0x0 },
	{ 3669, 4, 0, 0x1D4AB, 0x0 },
	{ 3673, 3, 0, 0x3A8, 0x0 },
	{ 3676, 4, 1, 0x22, 0x0 },
	{ 3680, 3, 0, 0x1D514, 0x0 },
	{ 3683, 4, 0, 0x211A, 0x0 },
	{ 3687, 4, 0, 0x1D4AC, 0x0 },
	{ 3691, 5, 0, 0x2910, 0x0 },
	{ 3696, 3, 1, 0xAE, 0x0 },
	{ 3699, 6, 0, 0x154, 0x0 },
	{ 3705, 4, 0, 0x27EB, 0x0 },
	{ 3709, 4, 0, 0x21A0, 0x0 },
	{ 3713, 6, 0, 0x2916, 0x0 },
	{ 3719, 6, 0, 0x158, 0x0 },
	{ 3725, 6, 0, 0x156, 0x0 },
	{ 3731, 3, 0, 0x420, 0x0 },
	{ 3734, 2, 0, 0x211C, 0x0 },
	{ 3736, 14, 0, 0x220B, 0x0 },
	{ 3750, 18, 0, 0x21CB, 0x0 },
	{ 3768, 20, 0, 0x296F, 0x0 },
	{ 3788, 3, 0, 0x211C, 0x0 },
	{ 3791, 3, 0, 0x3A1, 0x0 },
	{ 3794, 17, 0, 0x27E9, 0x0 },
	{ 3811, 10, 0, 0x2192, 0x0 },
	{ 3821, 13, 0, 0x21E5, 0x0 },
	{ 3834, 19, 0, 0x21C4, 0x0 },
	{ 3853, 12, 0, 0x2309, 0x0 },
	{ 3865, 18, 0, 0x27E7, 0x0 },
	{ 3883, 18, 0, 0x295D, 0x0 },
	{ 3901, 15, 0, 0x21C2, 0x0 },
	{ 3916, 18, 0, 0x2955, 0x0 },
	{ 3934, 10, 0, 0x230B, 0x0 },
	{ 3944, 8, 0, 0x22A2, 0x0 },
	{ 3952, 13, 0, 0x21A6, 0x0 },
	{ 3965, 14, 0, 0x295B, 0x0 },
	{ 3979, 13, 0, 0x22B3, 0x0 },
	{ 3992, 16, 0, 0x29D0, 0x0 },
	{ 4008, 18, 0, 0x22B5, 0x0 },
	{ 4026, 17, 0, 0x294F, 0x0 },
	{ 4043, 16, 0, 0x295C, 0x0 },
	{ 4059, 13, 0, 0x21BE, 0x0 },
	{ 4072, 16, 0, 0x2954, 0x0 },
	{ 4088, 11, 0, 0x21C0, 0x0 },
	{ 4099, 14, 0, 0x2953, 0x0 },
	{ 4113, 10, 0, 0x21D2, 0x0 },
	{ 4123, 4, 0, 0x211D, 0x0 },
	{ 4127, 12, 0, 0x2970, 0x0 },
	{ 4139, 11, 0, 0x21DB, 0x0 },
	{ 4150, 4, 0, 0x211B, 0x0 },
	{ 4154, 3, 0, 0x21B1, 0x0 },
	{ 4157, 11, 0, 0x29F4, 0x0 },
	{ 4168, 6, 0, 0x429, 0x0 },
	{ 4174, 4, 0, 0x428, 0x0 },
	{ 4178, 6, 0, 0x42C, 0x0 },
	{ 4184, 6, 0, 0x15A, 0x0 },
	{ 4190, 2, 0, 0x2ABC, 0x0 },
	{ 4192, 6, 0, 0x160, 0x0 },
	{ 4198, 6, 0, 0x15E, 0x0 },
	{ 4204, 5, 0, 0x15C, 0x0 },
	{ 4209, 3, 0, 0x421, 0x0 },
	{ 4212, 3, 0, 0x1D516, 0x0 },
	{ 4215, 14, 0, 0x2193, 0x0 },
	{ 4229, 14, 0, 0x2190, 0x0 },
	{ 4243, 15, 0, 0x2192, 0x0 },
	{ 4258, 12, 0, 0x2191, 0x0 },
	{ 4270, 5, 0, 0x3A3, 0x0 },
	{ 4275, 11, 0, 0x2218, 0x0 },
	{ 4286, 4, 0, 0x1D54A, 0x0 },
	{ 4290, 4, 0, 0x221A, 0x0 },
	{ 4294, 6, 0, 0x25A1, 0x0 },
	{ 4300, 18, 0, 0x2293, 0x0 },
	{ 4318, 12, 0, 0x228F, 0x0 },
	{ 4330, 17, 0, 0x2291, 0x0 },
	{ 4347, 14, 0, 0x2290, 0x0 },
	{ 4361, 19, 0, 0x2292, 0x0 },
	{ 4380, 11, 0, 0x2294, 0x0 },
	{ 4391, 4, 0, 0x1D4AE, 0x0 },
	{ 4395, 4, 0, 0x22C6, 0x0 },
	{ 4399, 3, 0, 0x22D0, 0x0 },
	{ 4402, 6, 0, 0x22D0, 0x0 },
	{ 4408, 11, 0, 0x2286, 0x0 },
	{ 4419, 8, 0, 0x227B, 0x0 },
	{ 4427, 13, 0, 0x2AB0, 0x0 },
	{ 4440, 18, 0, 0x227D, 0x0 },
	{ 4458, 13, 0, 0x227F, 0x0 },
	{ 4471, 8, 0, 0x220B, 0x0 },
	{ 4479, 3, 0, 0x2211, 0x0 },
	{ 4482, 3, 0, 0x22D1, 0x0 },
	{ 4485, 8, 0, 0x2283, 0x0 },
	{ 4493, 13, 0, 0x2287, 0x0 },
	{ 4506, 6, 0, 0x22D1, 0x0 },
	{ 4512, 5, 1, 0xDE, 0x0 },
	{ 4517, 5, 0, 0x2122, 0x0 },
	{ 4522, 5, 0, 0x40B, 0x0 },
	{ 4527, 4, 0, 0x426, 0x0 },
	{ 4531, 3, 0, 0x9, 0x0 },
	{ 4534, 3, 0, 0x3A4, 0x0 },
	{ 4537, 6, 0, 0x164, 0x0 },
	{ 4543, 6, 0, 0x162, 0x0 },
	{ 4549, 3, 0, 0x422, 0x0 },
	{ 4552, 3, 0, 0x1D517, 0x0 },
	{ 4555, 9, 0, 0x2234, 0x0 },
	{ 4564, 5, 0, 0x398, 0x0 },
	{ 4569, 10, 0, 0x205F, 0x200A },
	{ 4579, 9, 0, 0x2009, 0x0 },
	{ 4588, 5, 0, 0x223C, 0x0 },
	{ 4593, 10, 0, 0x2243, 0x0 },
	{ 4603, 14, 0, 0x2245, 0x0 },
	{ 4617, 10, 0, 0x2248, 0x0 },
	{ 4627, 4, 0, 0x1D54B, 0x0 },
	{ 4631, 9, 0, 0x20DB, 0x0 },
	{ 4640, 4, 0, 0x1D4AF, 0x0 },
	{ 4644, 6, 0, 0x166, 0x0 },
	{ 4650, 6, 1, 0xDA, 0x0 },
	{ 4656, 4, 0, 0x219F, 0x0 },
	{ 4660, 8, 0, 0x2949, 0x0 },
	{ 4668, 5, 0, 0x40E, 0x0 },
	{ 4673, 6, 0, 0x16C, 0x0 },
	{ 4679, 5, 1, 0xDB, 0x0 },
	{ 4684, 3, 0, 0x423, 0x0 },
	{ 4687, 6, 0, 0x170, 0x0 },
	{ 4693, 3, 0, 0x1D518, 0x0 },
	{ 4696, 6, 1, 0xD9, 0x0 },
	{ 4702, 5, 0, 0x16A, 0x0 },
	{ 4707, 8, 0, 0x5F, 0x0 },
	{ 4715, 10, 0, 0x23DF, 0x0 },
	{ 4725, 12, 0, 0x23B5, 0x0 },
	{ 4737, 16, 0, 0x23DD, 0x0 },
	{ 4753, 5, 0, 0x22C3, 0x0 },
	{ 4758, 9, 0, 0x228E, 0x0 },
	{ 4767, 5, 0, 0x172, 0x0 },
	{ 4772, 4, 0, 0x1D54C, 0x0 },
	{ 4776, 7, 0, 0x2191, 0x0 },
	{ 4783, 10, 0, 0x2912, 0x0 },
	{ 4793, 16, 0, 0x21C5, 0x0 },
	{ 4809, 11, 0, 0x2195, 0x0 },
	{ 4820, 13, 0, 0x296E, 0x0 },
	{ 4833, 5, 0, 0x22A5, 0x0 },
	{ 4838, 10, 0, 0x21A5, 0x0 },
	{ 4848, 7, 0, 0x21D1, 0x0 },
	{ 4855, 11, 0, 0x21D5, 0x0 },
	{ 4866, 14, 0, 0x2196, 0x0 },
	{ 4880, 15, 0, 0x2197, 0x0 },
	{ 4895, 4, 0, 0x3D2, 0x0 },
	{ 4899, 7, 0, 0x3A5, 0x0 },
	{ 4906, 5, 0, 0x16E, 0x0 },
	{ 4911, 4, 0, 0x1D4B0, 0x0 },
	{ 4915, 6, 0, 0x168, 0x0 },
	{ 4921, 4, 1, 0xDC, 0x0 },
	{ 4925, 5, 0, 0x22AB, 0x0 },
	{ 4930, 4, 0, 0x2AEB, 0x0 },
	{ 4934, 3, 0, 0x412, 0x0 },
	{ 4937, 5, 0, 0x22A9, 0x0 },
	{ 4942, 6, 0, 0x2AE6, 0x0 },
	{ 4948, 3, 0, 0x22C1, 0x0 },
	{ 4951, 6, 0, 0x2016, 0x0 },
	{ 4957, 4, 0, 0x2016, 0x0 },
	{ 4961, 11, 0, 0x2223, 0x0 },
	{ 4972, 12, 0, 0x7C, 0x0 },
	{ 4984, 17, 0, 0x2758, 0x0 },
	{ 5001, 13, 0, 0x2240, 0x0 },
	{ 5014, 13, 0, 0x200A, 0x0 },
	{ 5027, 3, 0, 0x1D519, 0x0 },
	{ 5030, 4, 0, 0x1D54D, 0x0 },
	{ 5034, 4, 0, 0x1D4B1, 0x0 },
	{ 5038, 6, 0, 0x22AA, 0x0 },
	{ 5044, 5, 0, 0x174, 0x0 },
	{ 5049, 5, 0, 0x22C0, 0x0 },
	{ 5054, 3, 0, 0x1D51A, 0x0 },
	{ 5057, 4, 0, 0x1D54E, 0x0 },
	{ 5061, 4, 0, 0x1D4B2, 0x0 },
	{ 5065, 3, 0, 0x1D51B, 0x0 },
	{ 5068, 2, 0, 0x39E, 0x0 },
	{ 5070, 4, 0, 0x1D54F, 0x0 },
	{ 5074, 4, 0, 0x1D4B3, 0x0 },
	{ 5078, 4, 0, 0x42F, 0x0 },
	{ 5082, 4, 0, 0x407, 0x0 },
	{ 5086, 4, 0, 0x42E, 0x0 },
	{ 5090, 6, 1, 0xDD, 0x0 },
	{ 5096, 5, 0, 0x176, 0x0 },
	{ 5101, 3, 0, 0x42B, 0x0 },
	{ 5104, 3, 0, 0x1D51C, 0x0 },
	{ 5107, 4, 0, 0x1D550, 0x0 },
	{ 5111, 4, 0, 0x1D4B4, 0x0 },
	{ 5115, 4, 0, 0x178, 0x0 },
	{ 5119, 4, 0, 0x416, 0x0 },
	{ 5123, 6, 0, 0x179, 0x0 },
	{ 5129, 6, 0, 0x17D, 0x0 },
	{ 5135, 3, 0, 0x417, 0x0 },
	{ 5138, 4, 0, 0x17B, 0x0 },
	{ 5142, 14, 0, 0x200B, 0x0 },
	{ 5156, 4, 0, 0x396, 0x0 },
	{ 5160, 3, 0, 0x2128, 0x0 },
	{ 5163, 4, 0, 0x2124, 0x0 },
	{ 5167, 4, 0, 0x1D4B5, 0x0 },
	{ 5171, 6, 1, 0xE1, 0x0 },
	{ 5177, 6, 0, 0x103, 0x0 },
	{ 5183, 2, 0, 0x223E, 0x0 },
	{ 5185, 3, 0, 0x223E, 0x333 },
	{ 5188, 3, 0, 0x223F, 0x0 },
	{ 5191, 5, 1, 0xE2, 0x0 },
	{ 5196, 5, 1, 0xB4, 0x0 },
	{ 5201, 3, 0, 0x430, 0x0 },
	{ 5204, 5, 1, 0xE6, 0x0 },
	{ 5209, 2, 0, 0x2061, 0x0 },
	{ 5211, 3, 0, 0x1D51E, 0x0 },
	{ 5214, 6, 1, 0xE0, 0x0 },
	{ 5220, 7, 0, 0x2135, 0x0 },
	{ 5227, 5, 0, 0x2135, 0x0 },
	{ 5232, 5, 0, 0x3B1, 0x0 },
	{ 5237, 5, 0, 0x101, 0x0 },
	{ 5242, 5, 0, 0x2A3F, 0x0 },
	{ 5247, 3, 1, 0x26, 0x0 },
	{ 5250, 3, 0, 0x2227, 0x0 },
	{ 5253, 6, 0, 0x2A55, 0x0 },
	{ 5259, 4, 0, 0x2A5C, 0x0 },
	{ 5263, 8, 0, 0x2A58, 0x0 },
	{ 5271, 4, 0, 0x2A5A, 0x0 },
	{ 5275, 3, 0, 0x2220, 0x0 },
	{ 5278, 4, 0, 0x29A4, 0x0 },
	{ 5282, 5, 0, 0x2220, 0x0 },
	{ 5287, 6, 0, 0x2221, 0x0 },
	{ 5293, 8, 0, 0x29A8, 0x0 },
	{ 5301, 8, 0, 0x29A9, 0x0 },
	{ 5309, 8, 0, 0x29AA, 0x0 },
	{ 5317, 8, 0, 0x29AB, 0x0 },
	{ 5325, 8, 0, 0x29AC, 0x0 },
	{ 5333, 8, 0, 0x29AD, 0x0 },
	{ 5341, 8, 0, 0x29AE, 0x0 },
	{ 5349, 8, 0, 0x29AF, 0x0 },
	{ 5357, 5, 0, 0x221F, 0x0 },
	{ 5362, 7, 0, 0x22BE, 0x0 },
	{ 5369, 8, 0, 0x299D, 0x0 },
	{ 5377, 6, 0, 0x2222, 0x0 },
	{ 5383, 5, 0, 0xC5, 0x0 },
	{ 5388, 7, 0, 0x237C, 0x0 },
	{ 5395, 5, 0, 0x105, 0x0 },
	{ 5400, 4, 0, 0x1D552, 0x0 },
	{ 5404, 2, 0, 0x2248, 0x0 },
	{ 5406, 3, 0, 0x2A70, 0x0 },
	{ 5409, 6, 0, 0x2A6F, 0x0 },
	{ 5415, 3, 0, 0x224A, 0x0 },
	{ 5418, 4, 0, 0x224B, 0x0 },
	{ 5422, 4, 0, 0x27, 0x0 },
	{ 5426, 6, 0, 0x2248, 0x0 },
	{ 5432, 8, 0, 0x224A, 0x0 },
	{ 5440, 5, 1, 0xE5, 0x0 },
	{ 5445, 4, 0, 0x1D4B6, 0x0 },
	{ 5449, 3, 0, 0x2A, 0x0 },
	{ 5452, 5, 0, 0x2248, 0x0 },
	{ 5457, 7, 0, 0x224D, 0x0 },
	{ 5464, 6, 1, 0xE3, 0x0 },
	{ 5470, 4, 1, 0xE4, 0x0 },
	{ 5474, 8, 0, 0x2233, 0x0 },
	{ 5482, 5, 0, 0x2A11, 0x0 },
	{ 5487, 4, 0, 0x2AED, 0x0 },
	{ 5491, 8, 0, 0x224C, 0x0 },
	{ 5499, 11, 0, 0x3F6, 0x0 },
	{ 5510, 9, 0, 0x2035, 0x0 },
	{ 5519, 7, 0, 0x223D, 0x0 },
	{ 5526, 9, 0, 0x22CD, 0x0 },
	{ 5535, 6, 0, 0x22BD, 0x0 },
	{ 5541, 6, 0, 0x2305, 0x0 },
	{ 5547, 8, 0, 0x2305, 0x0 },
	{ 5555, 4, 0, 0x23B5, 0x0 },
	{ 5559, 8, 0, 0x23B6, 0x0 },
	{ 5567, 5, 0, 0x224C, 0x0 },
	{ 5572, 3, 0, 0x431, 0x0 },
	{ 5575, 5, 0, 0x201E, 0x0 },
	{ 5580, 6, 0, 0x2235, 0x0 },
	{ 5586, 7, 0, 0x2235, 0x0 },
	{ 5593, 7, 0, 0x29B0, 0x0 },
	{ 5600, 5, 0, 0x3F6, 0x0 },
	{ 5605, 6, 0, 0x212C, 0x0 },
	{ 5611, 4, 0, 0x3B2, 0x0 },
	{ 5615, 4, 0, 0x2136, 0x0 },
	{ 5619, 7, 0, 0x226C, 0x0 },
	{ 5626, 3, 0, 0x1D51F, 0x0 },
	{ 5629, 6, 0, 0x22C2, 0x0 },
	{ 5635, 7, 0, 0x25EF, 0x0 },
	{ 5642, 6, 0, 0x22C3, 0x0 },
	{ 5648, 7, 0, 0x2A00, 0x0 },
	{ 5655, 8, 0, 0x2A01, 0x0 },
	{ 5663, 9, 0, 0x2A02, 0x0 },
	{ 5672, 8, 0, 0x2A06, 0x0 },
	{ 5680, 7, 0, 0x2605, 0x0 },
	{ 5687, 15, 0, 0x25BD, 0x0 },
	{ 5702, 13, 0, 0x25B3, 0x0 },
	{ 5715, 8, 0, 0x2A04, 0x0 },
	{ 5723, 6, 0, 0x22C1, 0x0 },
	{ 5729, 8, 0, 0x22C0, 0x0 },
	{ 5737, 6, 0, 0x290D, 0x0 },
	{ 5743, 12, 0, 0x29EB, 0x0 },
	{ 5755, 11, 0, 0x25AA, 0x0 },
	{ 5766, 13, 0, 0x25B4, 0x0 },
	{ 5779, 17, 0, 0x25BE, 0x0 },
	{ 5796, 17, 0, 0x25C2, 0x0 },
	{ 5813, 18, 0, 0x25B8, 0x0 },
	{ 5831, 5, 0, 0x2423, 0x0 },
	{ 5836, 5, 0, 0x2592, 0x0 },
	{ 5841, 5, 0, 0x2591, 0x0 },
	{ 5846, 5, 0, 0x2593, 0x0 },
	{ 5851, 5, 0, 0x2588, 0x0 },
	{ 5856, 3, 0, 0x3D, 0x20E5 },
	{ 5859, 7, 0, 0x2261, 0x20E5 },
	{ 5866, 4, 0, 0x2310, 0x0 },
	{ 5870, 4, 0, 0x1D553, 0x0 },
	{ 5874, 3, 0, 0x22A5, 0x0 },
	{ 5877, 6, 0, 0x22A5, 0x0 },
	{ 5883, 6, 0, 0x22C8, 0x0 },
	{ 5889, 5, 0, 0x2557, 0x0 },
	{ 5894, 5, 0, 0x2554, 0x0 },
	{ 5899, 5, 0, 0x2556, 0x0 },
	{ 5904, 5, 0, 0x2553, 0x0 },
	{ 5909, 4, 0, 0x2550, 0x0 },
	{ 5913, 5, 0, 0x2566, 0x0 },
	{ 5918, 5, 0, 0x2569, 0x0 },
	{ 5923, 5, 0, 0x2564, 0x0 },
	{ 5928, 5, 0, 0x2567, 0x0 },
	{ 5933, 5, 0, 0x255D, 0x0 },
	{ 5938, 5, 0, 0x255A, 0x0 },
	{ 5943, 5, 0, 0x255C, 0x0 },
	{ 5948, 5, 0, 0x2559, 0x0 },
	{ 5953, 4, 0, 0x2551, 0x0 },
	{ 5957, 5, 0, 0x256C, 0x0 },
	{ 5962, 5, 0, 0x2563, 0x0 },
	{ 5967, 5, 0, 0x2560, 0x0 },
	{ 5972, 5, 0, 0x256B, 0x0 },
	{ 5977, 5, 0, 0x2562, 0x0 },
	{ 5982, 5, 0, 0x255F, 0x0 },
	{ 5987, 6, 0, 0x29C9, 0x0 },
	{ 5993, 5, 0, 0x2555, 0x0 },
	{ 5998, 5, 0, 0x2552, 0x0 },
	{ 6003, 5, 0, 0x2510, 0x0 },
	{ 6008, 5, 0, 0x250C, 0x0 },
	{ 6013, 4, 0, 0x2500, 0x0 },
	{ 6017, 5, 0, 0x2565, 0x0 },
	{ 6022, 5, 0, 0x2568, 0x0 },
	{ 6027, 5, 0, 0x252C, 0x0 },
	{ 6032, 5, 0, 0x2534, 0x0 },
	{ 6037, 8, 0, 0x229F, 0x0 },
	{ 6045, 7, 0, 0x229E, 0x0 },
	{ 6052, 8, 0, 0x22A0, 0x0 },
	{ 6060, 5, 0, 0x255B, 0x0 },
	{ 6065, 5, 0, 0x2558, 0x0 },
	{ 6070, 5, 0, 0x2518, 0x0 },
	{ 6075, 5, 0, 0x2514, 0x0 },
	{ 6080, 4, 0, 0x2502, 0x0 },
	{ 6084, 5, 0, 0x256A, 0x0 },
	{ 6089, 5, 0, 0x2561, 0x0 },
	{ 6094, 5, 0, 0x255E, 0x0 },
	{ 6099, 5, 0, 0x253C, 0x0 },
	{ 6104, 5, 0, 0x2524, 0x0 },
	{ 6109, 5, 0, 0x251C, 0x0 },
	{ 6114, 6, 0, 0x2035, 0x0 },
	{ 6120, 5, 0, 0x2D8, 0x0 },
	{ 6125, 6, 1, 0xA6, 0x0 },
	{ 6131, 4, 0, 0x1D4B7, 0x0 },
	{ 6135, 5, 0, 0x204F, 0x0 },
	{ 6140, 4, 0, 0x223D, 0x0 },
	{ 6144, 5, 0, 0x22CD, 0x0 },
	{ 6149, 4, 0, 0x5C, 0x0 },
	{ 6153, 5, 0, 0x29C5, 0x0 },
	{ 6158, 8, 0, 0x27C8, 0x0 },
	{ 6166, 4, 0, 0x2022, 0x0 },
	{ 6170, 6, 0, 0x2022, 0x0 },
	{ 6176, 4, 0, 0x224E, 0x0 },
	{ 6180, 5, 0, 0x2AAE, 0x0 },
	{ 6185, 5, 0, 0x224F, 0x0 },
	{ 6190, 6, 0, 0x224F, 0x0 },
	{ 6196, 6, 0, 0x107, 0x0 },
	{ 6202, 3, 0, 0x2229, 0x0 },
	{ 6205, 6, 0, 0x2A44, 0x0 },
	{ 6211, 8, 0, 0x2A49, 0x0 },
	{ 6219, 6, 0, 0x2A4B, 0x0 },
	{ 6225, 6, 0, 0x2A47, 0x0 },
	{ 6231, 6, 0, 0x2A40, 0x0 },
	{ 6237, 4, 0, 0x2229, 0xFE00 },
	{ 6241, 5, 0, 0x2041, 0x0 },
	{ 6246, 5, 0, 0x2C7, 0x0 },
	{ 6251, 5, 0, 0x2A4D, 0x0 },
	{ 6256, 6, 0, 0x10D, 0x0 },
	{ 6262, 6, 1, 0xE7, 0x0 },
	{ 6268, 5, 0, 0x109, 0x0 },
	{ 6273, 5, 0, 0x2A4C, 0x0 },
	{ 6278, 7, 0, 0x2A50, 0x0 },
	{ 6285, 4, 0, 0x10B, 0x0 },
	{ 6289, 5, 1, 0xB8, 0x0 },
	{ 6294, 7, 0, 0x29B2, 0x0 },
	{ 6301, 4, 1, 0xA2, 0x0 },
	{ 6305, 9, 0, 0xB7, 0x0 },
	{ 6314, 3, 0, 0x1D520, 0x0 },
	{ 6317, 4, 0, 0x447, 0x0 },
	{ 6321, 5, 0, 0x2713, 0x0 },
	{ 6326, 9, 0, 0x2713, 0x0 },
	{ 6335, 3, 0, 0x3C7, 0x0 },
	{ 6338, 3, 0, 0x25CB, 0x0 },
	{ 6341, 4, 0, 0x29C3, 0x0 },
	{ 6345, 4, 0, 0x2C6, 0x0 },
	{ 6349, 6, 0, 0x2257, 0x0 },
	{ 6355, 15, 0, 0x21BA, 0x0 },
	{ 6370, 16, 0, 0x21BB, 0x0 },
	{ 6386, 8, 0, 0xAE, 0x0 },
	{ 6394, 8, 0, 0x24C8, 0x0 },
	{ 6402, 10, 0, 0x229B, 0x0 },
	{ 6412, 11, 0, 0x229A, 0x0 },
	{ 6423, 11, 0, 0x229D, 0x0 },
	{ 6434, 4, 0, 0x2257, 0x0 },
	{ 6438, 8, 0, 0x2A10, 0x0 },
	{ 6446, 6, 0, 0x2AEF, 0x0 },
	{ 6452, 7, 0, 0x29C2, 0x0 },
	{ 6459, 5, 0, 0x2663, 0x0 },
	{ 6464, 8, 0, 0x2663, 0x0 },
	{ 6472, 5, 0, 0x3A, 0x0 },
	{ 6477, 6, 0, 0x2254, 0x0 },
	{ 6483, 7, 0, 0x2254, 0x0 },
	{ 6490, 5, 0, 0x2C, 0x0 },
	{ 6495, 6, 0, 0x40, 0x0 },
	{ 6501, 4, 0, 0x2201, 0x0 },
	{ 6505, 6, 0, 0x2218, 0x0 },
	{ 6511, 10, 0, 0x2201, 0x0 },
	{ 6521, 9, 0, 0x2102, 0x0 },
	{ 6530, 4, 0, 0x2245, 0x0 },
	{ 6534, 7, 0, 0x2A6D, 0x0 },
	{ 6541, 6, 0, 0x222E, 0x0 },
	{ 6547, 4, 0, 0x1D554, 0x0 },
	{ 6551, 6, 0, 0x2210, 0x0 },
	{ 6557, 4, 1, 0xA9, 0x0 },
	{ 6561, 6, 0, 0x2117, 0x0 },
	{ 6567, 5, 0, 0x21B5, 0x0 },
	{ 6572, 5, 0, 0x2717, 0x0 },
	{ 6577, 4, 0, 0x1D4B8, 0x0 },
	{ 6581, 4, 0, 0x2ACF, 0x0 },
	{ 6585, 5, 0, 0x2AD1, 0x0 },
	{ 6590, 4, 0, 0x2AD0, 0x0 },
	{ 6594, 5, 0, 0x2AD2, 0x0 },
	{ 6599, 5, 0, 0x22EF, 0x0 },
	{ 6604, 7, 0, 0x2938, 0x0 },
	{ 6611, 7, 0, 0x2935, 0x0 },
	{ 6618, 5, 0, 0x22DE, 0x0 },
	{ 6623, 5, 0, 0x22DF, 0x0 },
	{ 6628, 6, 0, 0x21B6, 0x0 },
	{ 6634, 7, 0, 0x293D, 0x0 },
	{ 6641, 3, 0, 0x222A, 0x0 },
	{ 6644, 8, 0, 0x2A48, 0x0 },
	{ 6652, 6, 0, 0x2A46, 0x0 },
	{ 6658, 6, 0, 0x2A4A, 0x0 },
	{ 6664, 6, 0, 0x228D, 0x0 },
	{ 6670, 5, 0, 0x2A45, 0x0 },
	{ 6675, 4, 0, 0x222A, 0xFE00 },
	{ 6679, 6, 0, 0x21B7, 0x0 },
	{ 6685, 7, 0, 0x293C, 0x0 },
	{ 6692, 11, 0, 0x22DE, 0x0 },
	{ 6703, 11, 0, 0x22DF, 0x0 },
	{ 6714, 8, 0, 0x22CE, 0x0 },
	{ 6722, 10, 0, 0x22CF, 0x0 },
	{ 6732, 6, 1, 0xA4, 0x0 },
	{ 6738, 14, 0, 0x21B6, 0x0 },
	{ 6752, 15, 0, 0x21B7, 0x0 },
	{ 6767, 5, 0, 0x22CE, 0x0 },
	{ 6772, 5, 0, 0x22CF, 0x0 },
	{ 6777, 8, 0, 0x2232, 0x0 },
	{ 6785, 5, 0, 0x2231, 0x0 },
	{ 6790, 6, 0, 0x232D, 0x0 },
	{ 6796, 4, 0, 0x21D3, 0x0 },
	{ 6800, 4, 0, 0x2965, 0x0 },
	{ 6804, 6, 0, 0x2020, 0x0 },
	{ 6810, 6, 0, 0x2138, 0x0 },
	{ 6816, 4, 0, 0x2193, 0x0 },
	{ 6820, 4, 0, 0x2010, 0x0 },
	{ 6824, 5, 0, 0x22A3, 0x0 },
	{ 6829, 7, 0, 0x290F, 0x0 },
	{ 6836, 5, 0, 0x2DD, 0x0 },
	{ 6841, 6, 0, 0x10F, 0x0 },
	{ 6847, 3, 0, 0x434, 0x0 },
	{ 6850, 2, 0, 0x2146, 0x0 },
	{ 6852, 7, 0, 0x2021, 0x0 },
	{ 6859, 5, 0, 0x21CA, 0x0 },
	{ 6864, 7, 0, 0x2A77, 0x0 },
	{ 6871, 3, 1, 0xB0, 0x0 },
	{ 6874, 5, 0, 0x3B4, 0x0 },
	{ 6879, 7, 0, 0x29B1, 0x0 },
	{ 6886, 6, 0, 0x297F, 0x0 },
	{ 6892, 3, 0, 0x1D521, 0x0 },
	{ 6895, 5, 0, 0x21C3, 0x0 },
	{ 6900, 5, 0, 0x21C2, 0x0 },
	{ 6905, 4, 0, 0x22C4, 0x0 },
	{ 6909, 7, 0, 0x22C4, 0x0 },
	{ 6916, 11, 0, 0x2666, 0x0 },
	{ 6927, 5, 0, 0x2666, 0x0 },
	{ 6932, 3, 0, 0xA8, 0x0 },
	{ 6935, 7, 0, 0x3DD, 0x0 },
	{ 6942, 5, 0, 0x22F2, 0x0 },
	{ 6947, 3, 0, 0xF7, 0x0 },
	{ 6950, 6, 1, 0xF7, 0x0 },
	{ 6956, 13, 0, 0x22C7, 0x0 },
	{ 6969, 6, 0, 0x22C7, 0x0 },
	{ 6975, 4, 0, 0x452, 0x0 },
	{ 6979, 6, 0, 0x231E, 0x0 },
	{ 6985, 6, 0, 0x230D, 0x0 },
	{ 6991, 6, 0, 0x24, 0x0 },
	{ 6997, 4, 0, 0x1D555, 0x0 },
	{ 7001, 3, 0, 0x2D9, 0x0 },
	{ 7004, 5, 0, 0x2250, 0x0 },
	{ 7009, 8, 0, 0x2251, 0x0 },
	{ 7017, 8, 0, 0x2238, 0x0 },
	{ 7025, 7, 0, 0x2214, 0x0 },
	{ 7032, 9, 0, 0x22A1, 0x0 },
	{ 7041, 14, 0, 0x2306, 0x0 },
	{ 7055, 9, 0, 0x2193, 0x0 },
	{ 7064, 14, 0, 0x21CA, 0x0 },
	{ 7078, 15, 0, 0x21C3, 0x0 },
	{ 7093, 16, 0, 0x21C2, 0x0 },
	{ 7109, 8, 0, 0x2910, 0x0 },
	{ 7117, 6, 0, 0x231F, 0x0 },
	{ 7123, 6, 0, 0x230C, 0x0 },
	{ 7129, 4, 0, 0x1D4B9, 0x0 },
	{ 7133, 4, 0, 0x455, 0x0 },
	{ 7137, 4, 0, 0x29F6, 0x0 },
	{ 7141, 6, 0, 0x111, 0x0 },
	{ 7147, 5, 0, 0x22F1, 0x0 },
	{ 7152, 4, 0, 0x25BF, 0x0 },
	{ 7156, 5, 0, 0x25BE, 0x0 },
	{ 7161, 5, 0, 0x21F5, 0x0 },
	{ 7166, 5, 0, 0x296F, 0x0 },
	{ 7171, 7, 0, 0x29A6, 0x0 },
	{ 7178, 4, 0, 0x45F, 0x0 },
	{ 7182, 8, 0, 0x27FF, 0x0 },
	{ 7190, 5, 0, 0x2A77, 0x0 },
	{ 7195, 4, 0, 0x2251, 0x0 },
	{ 7199, 6, 1, 0xE9, 0x0 },
	{ 7205, 6, 0, 0x2A6E, 0x0 },
	{ 7211, 6, 0, 0x11B, 0x0 },
	{ 7217, 4, 0, 0x2256, 0x0 },
	{ 7221, 5, 1, 0xEA, 0x0 },
	{ 7226, 6, 0, 0x2255, 0x0 },
	{ 7232, 3, 0, 0x44D, 0x0 },
	{ 7235, 4, 0, 0x117, 0x0 },
	{ 7239, 2, 0, 0x2147, 0x0 },
	{ 7241, 5, 0, 0x2252, 0x0 },
	{ 7246, 3, 0, 0x1D522, 0x0 },
	{ 7249, 2, 0, 0x2A9A, 0x0 },
	{ 7251, 6, 1, 0xE8, 0x0 },
	{ 7257, 3, 0, 0x2A96, 0x0 },
	{ 7260, 6, 0, 0x2A98, 0x0 },
	{ 7266, 2, 0, 0x2A99, 0x0 },
	{ 7268, 8, 0, 0x23E7, 0x0 },
	{ 7276, 3, 0, 0x2113, 0x0 },
	{ 7279, 3, 0, 0x2A95, 0x0 },
	{ 7282, 6, 0, 0x2A97, 0x0 },
	{ 7288, 5, 0, 0x113, 0x0 },
	{ 7293, 5, 0, 0x2205, 0x0 },
	{ 7298, 8, 0, 0x2205, 0x0 },
	{ 7306, 6, 0, 0x2205, 0x0 },
	{ 7312, 4, 0, 0x2003, 0x0 },
	{ 7316, 6, 0, 0x2004, 0x0 },
	{ 7322, 6, 0, 0x2005, 0x0 },
	{ 7328, 3, 0, 0x14B, 0x0 },
	{ 7331, 4, 0, 0x2002, 0x0 },
	{ 7335, 5, 0, 0x119, 0x0 },
	{ 7340, 4, 0, 0x1D556, 0x0 },
	{ 7344, 4, 0, 0x22D5, 0x0 },
	{ 7348, 6, 0, 0x29E3, 0x0 },
	{ 7354, 5, 0, 0x2A71, 0x0 },
	{ 7359, 4, 0, 0x3B5, 0x0 },
	{ 7363, 7, 0, 0x3B5, 0x0 },
	{ 7370, 5, 0, 0x3F5, 0x0 },
	{ 7375, 6, 0, 0x2256, 0x0 },
	{ 7381, 7, 0, 0x2255, 0x0 },
	{ 7388, 5, 0, 0x2242, 0x0 },
	{ 7393, 10, 0, 0x2A96, 0x0 },
	{ 7403, 11, 0, 0x2A95, 0x0 },
	{ 7414, 6, 0, 0x3D, 0x0 },
	{ 7420, 6, 0, 0x225F, 0x0 },
	{ 7426, 5, 0, 0x2261, 0x0 },
	{ 7431, 7, 0, 0x2A78, 0x0 },
	{ 7438, 8, 0, 0x29E5, 0x0 },
	{ 7446, 5, 0, 0x2253, 0x0 },
	{ 7451, 5, 0, 0x2971, 0x0 },
	{ 7456, 4, 0, 0x212F, 0x0 },
	{ 7460, 5, 0, 0x2250, 0x0 },
	{ 7465, 4, 0, 0x2242, 0x0 },
	{ 7469, 3, 0, 0x3B7, 0x0 },
	{ 7472, 3, 1, 0xF0, 0x0 },
	{ 7475, 4, 1, 0xEB, 0x0 },
	{ 7479, 4, 0, 0x20AC, 0x0 },
	{ 7483, 4, 0, 0x21, 0x0 },
	{ 7487, 5, 0, 0x2203, 0x0 },
	{ 7492, 11, 0, 0x2130, 0x0 },
	{ 7503, 12, 0, 0x2147, 0x0 },
	{ 7515, 13, 0, 0x2252, 0x0 },
	{ 7528, 3, 0, 0x444, 0x0 },
	{ 7531, 6, 0, 0x2640, 0x0 },
	{ 7537, 6, 0, 0xFB03, 0x0 },
	{ 7543, 5, 0, 0xFB00, 0x0 },
	{ 7548, 6, 0, 0xFB04, 0x0 },
	{ 7554, 3, 0, 0x1D523, 0x0 },
	{ 7557, 5, 0, 0xFB01, 0x0 },
	{ 7562, 5, 0, 0x66, 0x6A },
	{ 7567, 4, 0, 0x266D, 0x0 },
	{ 7571, 5, 0, 0xFB02, 0x0 },
	{ 7576, 5, 0, 0x25B1, 0x0 },
	{ 7581, 4, 0, 0x192, 0x0 },
	{ 7585, 4, 0, 0x1D557, 0x0 },
	{ 7589, 6, 0, 0x2200, 0x0 },
	{ 7595, 4, 0, 0x22D4, 0x0 },
	{ 7599, 5, 0, 0x2AD9, 0x0 },
	{ 7604, 8, 0, 0x2A0D, 0x0 },
	{ 7612, 6, 1, 0xBD, 0x0 },
	{ 7618, 6, 0, 0x2153, 0x0 },
	{ 7624, 6, 1, 0xBC, 0x0 },
	{ 7630, 6, 0, 0x2155, 0x0 },
	{ 7636, 6, 0, 0x2159, 0x0 },
	{ 7642, 6, 0, 0x215B, 0x0 },
	{ 7648, 6, 0, 0x2154, 0x0 },
	{ 7654, 6, 0, 0x2156, 0x0 },
	{ 7660, 6, 1, 0xBE, 0x0 },
	{ 7666, 6, 0, 0x2157, 0x0 },
	{ 7672, 6, 0, 0x215C, 0x0 },
	{ 7678, 6, 0, 0x2158, 0x0 },
	{ 7684, 6, 0, 0x215A, 0x0 },
	{ 7690, 6, 0, 0x215D, 0x0 },
	{ 7696, 6, 0, 0x215E, 0x0 },
	{ 7702, 5, 0, 0x2044, 0x0 },
	{ 7707, 5, 0, 0x2322, 0x0 },
	{ 7712, 4, 0, 0x1D4BB, 0x0 },
	{ 7716, 2, 0, 0x2267, 0x0 },
	{ 7718, 3, 0, 0x2A8C, 0x0 },
	{ 7721, 6, 0, 0x1F5, 0x0 },
	{ 7727, 5, 0, 0x3B3, 0x0 },
	{ 7732, 6, 0, 0x3DD, 0x0 },
	{ 7738, 3, 0, 0x2A86, 0x0 },
	{ 7741, 6, 0, 0x11F, 0x0 },
	{ 7747, 5, 0, 0x11D, 0x0 },
	{ 7752, 3, 0, 0x433, 0x0 },
	{ 7755, 4, 0, 0x121, 0x0 },
	{ 7759, 2, 0, 0x2265, 0x0 },
	{ 7761, 3, 0, 0x22DB, 0x0 },
	{ 7764, 3, 0, 0x2265, 0x0 },
	{ 7767, 4, 0, 0x2267, 0x0 },
	{ 7771, 8, 0, 0x2A7E, 0x0 },
	{ 7779, 3, 0, 0x2A7E, 0x0 },
	{ 7782, 5, 0, 0x2AA9, 0x0 },
	{ 7787, 6, 0, 0x2A80, 0x0 },
	{ 7793, 7, 0, 0x2A82, 0x0 },
	{ 7800, 8, 0, 0x2A84, 0x0 },
	{ 7808, 4, 0, 0x22DB, 0xFE00 },
	{ 7812, 6, 0, 0x2A94, 0x0 },
	{ 7818, 3, 0, 0x1D524, 0x0 },
	{ 7821, 2, 0, 0x226B, 0x0 },
	{ 7823, 3, 0, 0x22D9, 0x0 },
	{ 7826, 5, 0, 0x2137, 0x0 },
	{ 7831, 4, 0, 0x453, 0x0 },
	{ 7835, 2, 0, 0x2277, 0x0 },
	{ 7837, 3, 0, 0x2A92, 0x0 },
	{ 7840, 3, 0, 0x2AA5, 0x0 },
	{ 7843, 3, 0, 0x2AA4, 0x0 },
	{ 7846, 3, 0, 0x2269, 0x0 },
	{ 7849, 4, 0, 0x2A8A, 0x0 },
	{ 7853, 8, 0, 0x2A8A, 0x0 },
	{ 7861, 3, 0, 0x2A88, 0x0 },
	{ 7864, 4, 0, 0x2A88, 0x0 },
	{ 7868, 5, 0, 0x2269, 0x0 },
	{ 7873, 5, 0, 0x22E7, 0x0 },
	{ 7878, 4, 0, 0x1D558, 0x0 },
	{ 7882, 5, 0, 0x60, 0x0 },
	{ 7887, 4, 0, 0x210A, 0x0 },
	{ 7891, 4, 0, 0x2273, 0x0 },
	{ 7895, 5, 0, 0x2A8E, 0x0 },
	{ 7900, 5, 0, 0x2A90, 0x0 },
	{ 7905, 2, 1, 0x3E, 0x0 },
	{ 7907, 4, 0, 0x2AA7, 0x0 },
	{ 7911, 5, 0, 0x2A7A, 0x0 },
	{ 7916, 5, 0, 0x22D7, 0x0 },
	{ 7921, 6, 0, 0x2995, 0x0 },
	{ 7927, 7, 0, 0x2A7C, 0x0 },
	{ 7934, 9, 0, 0x2A86, 0x0 },
	{ 7943, 6, 0, 0x2978, 0x0 },
	{ 7949, 6, 0, 0x22D7, 0x0 },
	{ 7955, 9, 0, 0x22DB, 0x0 },
	{ 7964, 10, 0, 0x2A8C, 0x0 },
	{ 7974, 7, 0, 0x2277, 0x0 },
	{ 7981, 6, 0, 0x2273, 0x0 },
	{ 7987, 9, 0, 0x2269, 0xFE00 },
	{ 7996, 4, 0, 0x2269, 0xFE00 },
	{ 8000, 4, 0, 0x21D4, 0x0 },
	{ 8004, 6, 0, 0x200A, 0x0 },
	{ 8010, 4, 0, 0xBD, 0x0 },
	{ 8014, 6, 0, 0x210B, 0x0 },
	{ 8020, 6, 0, 0x44A, 0x0 },
	{ 8026, 4, 0, 0x2194, 0x0 },
	{ 8030, 7, 0, 0x2948, 0x0 },
	{ 8037, 5, 0, 0x21AD, 0x0 },
	{ 8042, 4, 0, 0x210F, 0x0 },
	{ 8046, 5, 0, 0x125, 0x0 },
	{ 8051, 6, 0, 0x2665, 0x0 },
	{ 8057, 9, 0, 0x2665, 0x0 },
	{ 8066, 6, 0, 0x2026, 0x0 },
	{ 8072, 6, 0, 0x22B9, 0x0 },
	{ 8078, 3, 0, 0x1D525, 0x0 },
	{ 8081, 8, 0, 0x2925, 0x0 },
	{ 8089, 8, 0, 0x2926, 0x0 },
	{ 8097, 5, 0, 0x21FF, 0x0 },
	{ 8102, 6, 0, 0x223B, 0x0 },
	{ 8108, 13, 0, 0x21A9, 0x0 },
	{ 8121, 14, 0, 0x21AA, 0x0 },
	{ 8135, 4, 0, 0x1D559, 0x0 },
	{ 8139, 6, 0, 0x2015, 0x0 },
	{ 8145, 4, 0, 0x1D4BD, 0x0 },
	{ 8149, 6, 0, 0x210F, 0x0 },
	{ 8155, 6, 0, 0x127, 0x0 },
	{ 8161, 6, 0, 0x2043, 0x0 },
	{ 8167, 6, 0, 0x2010, 0x0 },
	{ 8173, 6, 1, 0xED, 0x0 },
	{ 8179, 2, 0, 0x2063, 0x0 },
	{ 8181, 5, 1, 0xEE, 0x0 },
	{ 8186, 3, 0, 0x438, 0x0 },
	{ 8189, 4, 0, 0x435, 0x0 },
	{ 8193, 5, 1, 0xA1, 0x0 },
	{ 8198, 3, 0, 0x21D4, 0x0 },
	{ 8201, 3, 0, 0x1D526, 0x0 },
	{ 8204, 6, 1, 0xEC, 0x0 },
	{ 8210, 2, 0, 0x2148, 0x0 },
	{ 8212, 6, 0, 0x2A0C, 0x0 },
	{ 8218, 5, 0, 0x222D, 0x0 },
	{ 8223, 6, 0, 0x29DC, 0x0 },
	{ 8229, 5, 0, 0x2129, 0x0 },
	{ 8234, 5, 0, 0x133, 0x0 },
	{ 8239, 5, 0, 0x12B, 0x0 },
	{ 8244, 5, 0, 0x2111, 0x0 },
	{ 8249, 8, 0, 0x2110, 0x0 },
	{ 8257, 8, 0, 0x2111, 0x0 },
	{ 8265, 5, 0, 0x131, 0x0 },
	{ 8270, 4, 0, 0x22B7, 0x0 },
	{ 8274, 5, 0, 0x1B5, 0x0 },
	{ 8279, 2, 0, 0x2208, 0x0 },
	{ 8281, 6, 0, 0x2105, 0x0 },
	{ 8287, 5, 0, 0x221E, 0x0 },
	{ 8292, 8, 0, 0x29DD, 0x0 },
	{ 8300, 6, 0, 0x131, 0x0 },
	{ 8306, 3, 0, 0x222B, 0x0 },
	{ 8309, 6, 0, 0x22BA, 0x0 },
	{ 8315, 8, 0, 0x2124, 0x0 },
	{ 8323, 8, 0, 0x22BA, 0x0 },
	{ 8331, 8, 0, 0x2A17, 0x0 },
	{ 8339, 7, 0, 0x2A3C, 0x0 },
	{ 8346, 4, 0, 0x451, 0x0 },
	{ 8350, 5, 0, 0x12F, 0x0 },
	{ 8355, 4, 0, 0x1D55A, 0x0 },
	{ 8359, 4, 0, 0x3B9, 0x0 },
	{ 8363, 5, 0, 0x2A3C, 0x0 },
	{ 8368, 6, 1, 0xBF, 0x0 },
	{ 8374, 4, 0, 0x1D4BE, 0x0 },
	{ 8378, 4, 0, 0x2208, 0x0 },
	{ 8382, 5, 0, 0x22F9, 0x0 },
	{ 8387, 7, 0, 0x22F5, 0x0 },
	{ 8394, 5, 0, 0x22F4, 0x0 },
	{ 8399, 6, 0, 0x22F3, 0x0 },
	{ 8405, 5, 0, 0x2208, 0x0 },
	{ 8410, 2, 0, 0x2062, 0x0 },
	{ 8412, 6, 0, 0x129, 0x0 },
	{ 8418, 5, 0, 0x456, 0x0 },
	{ 8423, 4, 1, 0xEF, 0x0 },
	{ 8427, 5, 0, 0x135, 0x0 },
	{ 8432, 3, 0, 0x439, 0x0 },
	{ 8435, 3, 0, 0x1D527, 0x0 },
	{ 8438, 5, 0, 0x237, 0x0 },
	{ 8443, 4, 0, 0x1D55B, 0x0 },
	{ 8447, 4, 0, 0x1D4BF, 0x0 },
	{ 8451, 6, 0, 0x458, 0x0 },
	{ 8457, 5, 0, 0x454, 0x0 },
	{ 8462, 5, 0, 0x3BA, 0x0 },
	{ 8467, 6, 0, 0x3F0, 0x0 },
	{ 8473, 6, 0, 0x137, 0x0 },
	{ 8479, 3, 0, 0x43A, 0x0 },
	{ 8482, 3, 0, 0x1D528, 0x0 },
	{ 8485, 6, 0, 0x138, 0x0 },
	{ 8491, 4, 0, 0x445, 0x0 },
	{ 8495, 4, 0, 0x45C, 0x0 },
	{ 8499, 4, 0, 0x1D55C, 0x0 },
	{ 8503, 4, 0, 0x1D4C0, 0x0 },
	{ 8507, 5, 0, 0x21DA, 0x0 },
	{ 8512, 4, 0, 0x21D0, 0x0 },
	{ 8516, 6, 0, 0x291B, 0x0 },
	{ 8522, 5, 0, 0x290E, 0x0 },
	{ 8527, 2, 0, 0x2266, 0x0 },
	{ 8529, 3, 0, 0x2A8B, 0x0 },
	{ 8532, 4, 0, 0x2962, 0x0 },
	{ 8536, 6, 0, 0x13A, 0x0 },
	{ 8542, 8, 0, 0x29B4, 0x0 },
	{ 8550, 6, 0, 0x2112, 0x0 },
	{ 8556, 6, 0, 0x3BB, 0x0 },
	{ 8562, 4, 0, 0x27E8, 0x0 },
	{ 8566, 5, 0, 0x2991, 0x0 },
	{ 8571, 6, 0, 0x27E8, 0x0 },
	{ 8577, 3, 0, 0x2A85, 0x0 },
	{ 8580, 5, 1, 0xAB, 0x0 },
	{ 8585, 4, 0, 0x2190, 0x0 },
	{ 8589, 5, 0, 0x21E4, 0x0 },
	{ 8594, 7, 0, 0x291F, 0x0 },
	{ 8601, 6, 0, 0x291D, 0x0 },
	{ 8607, 6, 0, 0x21A9, 0x0 },
	{ 8613, 6, 0, 0x21AB, 0x0 },
	{ 8619, 6, 0, 0x2939, 0x0 },
	{ 8625, 7, 0, 0x2973, 0x0 },
	{ 8632, 6, 0, 0x21A2, 0x0 },
	{ 8638, 3, 0, 0x2AAB, 0x0 },
	{ 8641, 6, 0, 0x2919, 0x0 },
	{ 8647, 4, 0, 0x2AAD, 0x0 },
	{ 8651, 5, 0, 0x2AAD, 0xFE00 },
	{ 8656, 5, 0, 0x290C, 0x0 },
	{ 8661, 5, 0, 0x2772, 0x0 },
	{ 8666, 6, 0, 0x7B, 0x0 },
	{ 8672, 6, 0, 0x5B, 0x0 },
	{ 8678, 5, 0, 0x298B, 0x0 },
	{ 8683, 7, 0, 0x298F, 0x0 },
	{ 8690, 7, 0, 0x298D, 0x0 },
	{ 8697, 6, 0, 0x13E, 0x0 },
	{ 8703, 6, 0, 0x13C, 0x0 },
	{ 8709, 5, 0, 0x2308, 0x0 },
	{ 8714, 4, 0, 0x7B, 0x0 },
	{ 8718, 3, 0, 0x43B, 0x0 },
	{ 8721, 4, 0, 0x2936, 0x0 },
	{ 8725, 5, 0, 0x201C, 0x0 },
	{ 8730, 6, 0, 0x201E, 0x0 },
	{ 8736, 7, 0, 0x2967, 0x0 },
	{ 8743, 8, 0, 0x294B, 0x0 },
	{ 8751, 4, 0, 0x21B2, 0x0 },
	{ 8755, 2, 0, 0x2264, 0x0 },
	{ 8757, 9, 0, 0x2190, 0x0 },
	{ 8766, 13, 0, 0x21A2, 0x0 },
	{ 8779, 15, 0, 0x21BD, 0x0 },
	{ 8794, 13, 0, 0x21BC, 0x0 },
	{ 8807, 14, 0, 0x21C7, 0x0 },
	{ 8821, 14, 0, 0x2194, 0x0 },
	{ 8835, 15, 0, 0x21C6, 0x0 },
	{ 8850, 17, 0, 0x21CB, 0x0 },
	{ 8867, 19, 0, 0x21AD, 0x0 },
	{ 8886, 14, 0, 0x22CB, 0x0 },
	{ 8900, 3, 0, 0x22DA, 0x0 },
	{ 8903, 3, 0, 0x2264, 0x0 },
	{ 8906, 4, 0, 0x2266, 0x0 },
	{ 8910, 8, 0, 0x2A7D, 0x0 },
	{ 8918, 3, 0, 0x2A7D, 0x0 },
	{ 8921, 5, 0, 0x2AA8, 0x0 },
	{ 8926, 6, 0, 0x2A7F, 0x0 },
	{ 8932, 7, 0, 0x2A81, 0x0 },
	{ 8939, 8, 0, 0x2A83, 0x0 },
	{ 8947, 4, 0, 0x22DA, 0xFE00 },
	{ 8951, 6, 0, 0x2A93, 0x0 },
	{ 8957, 10, 0, 0x2A85, 0x0 },
	{ 8967, 7, 0, 0x22D6, 0x0 },
	{ 8974, 9, 0, 0x22DA, 0x0 },
	{ 8983, 10, 0, 0x2A8B, 0x0 },
	{ 8993, 7, 0, 0x2276, 0x0 },
	{ 9000, 7, 0, 0x2272, 0x0 },
	{ 9007, 6, 0, 0x297C, 0x0 },
	{ 9013, 6, 0, 0x230A, 0x0 },
	{ 9019, 3, 0, 0x1D529, 0x0 },
	{ 9022, 2, 0, 0x2276, 0x0 },
	{ 9024, 3, 0, 0x2A91, 0x0 },
	{ 9027, 5, 0, 0x21BD, 0x0 },
	{ 9032, 5, 0, 0x21BC, 0x0 },
	{ 9037, 6, 0, 0x296A, 0x0 },
	{ 9043, 5, 0, 0x2584, 0x0 },
	{ 9048, 4, 0, 0x459, 0x0 },
	{ 9052, 2, 0, 0x226A, 0x0 },
	{ 9054, 5, 0, 0x21C7, 0x0 },
	{ 9059, 8, 0, 0x231E, 0x0 },
	{ 9067, 6, 0, 0x296B, 0x0 },
	{ 9073, 5, 0, 0x25FA, 0x0 },
	{ 9078, 6, 0, 0x140, 0x0 },
	{ 9084, 6, 0, 0x23B0, 0x0 },
	{ 9090, 10, 0, 0x23B0, 0x0 },
	{ 9100, 3, 0, 0x2268, 0x0 },
	{ 9103, 4, 0, 0x2A89, 0x0 },
	{ 9107, 8, 0, 0x2A89, 0x0 },
	{ 9115, 3, 0, 0x2A87, 0x0 },
	{ 9118, 4, 0, 0x2A87, 0x0 },
	{ 9122, 5, 0, 0x2268, 0x0 },
	{ 9127, 5, 0, 0x22E6, 0x0 },
	{ 9132, 5, 0, 0x27EC, 0x0 },
	{ 9137, 5, 0, 0x21FD, 0x0 },
	{ 9142, 5, 0, 0x27E6, 0x0 },
	{ 9147, 13, 0, 0x27F5, 0x0 },
	{ 9160, 18, 0, 0x27F7, 0x0 },
	{ 9178, 10, 0, 0x27FC, 0x0 },
	{ 9188, 14, 0, 0x27F6, 0x0 },
	{ 9202, 13, 0, 0x21AB, 0x0 },
	{ 9215, 14, 0, 0x21AC, 0x0 },
	{ 9229, 5, 0, 0x2985, 0x0 },
	{ 9234, 4, 0, 0x1D55D, 0x0 },
	{ 9238, 6, 0, 0x2A2D, 0x0 },
	{ 9244, 7, 0, 0x2A34, 0x0 },
	{ 9251, 6, 0, 0x2217, 0x0 },
	{ 9257, 6, 0, 0x5F, 0x0 },
	{ 9263, 3, 0, 0x25CA, 0x0 },
	{ 9266, 7, 0, 0x25CA, 0x0 },
	{ 9273, 4, 0, 0x29EB, 0x0 },
	{ 9277, 4, 0, 0x28, 0x0 },
	{ 9281, 6, 0, 0x2993, 0x0 },
	{ 9287, 5, 0, 0x21C6, 0x0 },
	{ 9292, 8, 0, 0x231F, 0x0 },
	{ 9300, 5, 0, 0x21CB, 0x0 },
	{ 9305, 6, 0, 0x296D, 0x0 },
	{ 9311, 3, 0, 0x200E, 0x0 },
	{ 9314, 5, 0, 0x22BF, 0x0 },
	{ 9319, 6, 0, 0x2039, 0x0 },
	{ 9325, 4, 0, 0x1D4C1, 0x0 },
	{ 9329, 3, 0, 0x21B0, 0x0 },
	{ 9332, 4, 0, 0x2272, 0x0 },
	{ 9336, 5, 0, 0x2A8D, 0x0 },
	{ 9341, 5, 0, 0x2A8F, 0x0 },
	{ 9346, 4, 0, 0x5B, 0x0 },
	{ 9350, 5, 0, 0x2018, 0x0 },
	{ 9355, 6, 0, 0x201A, 0x0 },
	{ 9361, 6, 0, 0x142, 0x0 },
	{ 9367, 2, 1, 0x3C, 0x0 },
	{ 9369, 4, 0, 0x2AA6, 0x0 },
	{ 9373, 5, 0, 0x2A79, 0x0 },
	{ 9378, 5, 0, 0x22D6, 0x0 },
	{ 9383, 6, 0, 0x22CB, 0x0 },
	{ 9389, 6, 0, 0x22C9, 0x0 },
	{ 9395, 6, 0, 0x2976, 0x0 },
	{ 9401, 7, 0, 0x2A7B, 0x0 },
	{ 9408, 6, 0, 0x2996, 0x0 },
	{ 9414, 4, 0, 0x25C3, 0x0 },
	{ 9418, 5, 0, 0x22B4, 0x0 },
	{ 9423, 5, 0, 0x25C2, 0x0 },
	{ 9428, 8, 0, 0x294A, 0x0 },
	{ 9436, 7, 0, 0x2966, 0x0 },
	{ 9443, 9, 0, 0x2268, 0xFE00 },
	{ 9452, 4, 0, 0x2268, 0xFE00 },
	{ 9456, 5, 0, 0x223A, 0x0 },
	{ 9461, 4, 1, 0xAF, 0x0 },
	{ 9465, 4, 0, 0x2642, 0x0 },
	{ 9469, 4, 0, 0x2720, 0x0 },
	{ 9473, 7, 0, 0x2720, 0x0 },
	{ 9480, 3, 0, 0x21A6, 0x0 },
	{ 9483, 6, 0, 0x21A6, 0x0 },
	{ 9489, 10, 0, 0x21A7, 0x0 },
	{ 9499, 10, 0, 0x21A4, 0x0 },
	{ 9509, 8, 0, 0x21A5, 0x0 },
	{ 9517, 6, 0, 0x25AE, 0x0 },
	{ 9523, 6, 0, 0x2A29, 0x0 },
	{ 9529, 3, 0, 0x43C, 0x0 },
	{ 9532, 5, 0, 0x2014, 0x0 },
	{ 9537, 13, 0, 0x2221, 0x0 },
	{ 9550, 3, 0, 0x1D52A, 0x0 },
	{ 9553, 3, 0, 0x2127, 0x0 },
	{ 9556, 5, 1, 0xB5, 0x0 },
	{ 9561, 3, 0, 0x2223, 0x0 },
	{ 9564, 6, 0, 0x2A, 0x0 },
	{ 9570, 6, 0, 0x2AF0, 0x0 },
	{ 9576, 6, 1, 0xB7, 0x0 },
	{ 9582, 5, 0, 0x2212, 0x0 },
	{ 9587, 6, 0, 0x229F, 0x0 },
	{ 9593, 6, 0, 0x2238, 0x0 },
	{ 9599, 7, 0, 0x2A2A, 0x0 },
	{ 9606, 4, 0, 0x2ADB, 0x0 },
	{ 9610, 4, 0, 0x2026, 0x0 },
	{ 9614, 6, 0, 0x2213, 0x0 },
	{ 9620, 6, 0, 0x22A7, 0x0 },
	{ 9626, 4, 0, 0x1D55E, 0x0 },
	{ 9630, 2, 0, 0x2213, 0x0 },
	{ 9632, 4, 0, 0x1D4C2, 0x0 },
	{ 9636, 6, 0, 0x223E, 0x0 },
	{ 9642, 2, 0, 0x3BC, 0x0 },
	{ 9644, 8, 0, 0x22B8, 0x0 },
	{ 9652, 5, 0, 0x22B8, 0x0 },
	{ 9657, 3, 0, 0x22D9, 0x338 },
	{ 9660, 3, 0, 0x226B, 0x20D2 },
	{ 9663, 4, 0, 0x226B, 0x338 },
	{ 9667, 10, 0, 0x21CD, 0x0 },
	{ 9677, 15, 0, 0x21CE, 0x0 },
	{ 9692, 3, 0, 0x22D8, 0x338 },
	{ 9695, 3, 0, 0x226A, 0x20D2 },
	{ 9698, 4, 0, 0x226A, 0x338 },
	{ 9702, 11, 0, 0x21CF, 0x0 },
	{ 9713, 6, 0, 0x22AF, 0x0 },
	{ 9719, 6, 0, 0x22AE, 0x0 },
	{ 9725, 5, 0, 0x2207, 0x0 },
	{ 9730, 6, 0, 0x144, 0x0 },
	{ 9736, 4, 0, 0x2220, 0x20D2 },
	{ 9740, 3, 0, 0x2249, 0x0 },
	{ 9743, 4, 0, 0x2A70, 0x338 },
	{ 9747, 5, 0, 0x224B, 0x338 },
	{ 9752, 5, 0, 0x149, 0x0 },
	{ 9757, 7, 0, 0x2249, 0x0 },
	{ 9764, 5, 0, 0x266E, 0x0 },
	{ 9769, 7, 0, 0x266E, 0x0 },
	{ 9776, 8, 0, 0x2115, 0x0 },
	{ 9784, 4, 1, 0xA0, 0x0 },
	{ 9788, 5, 0, 0x224E, 0x338 },
	{ 9793, 6, 0, 0x224F, 0x338 },
	{ 9799, 4, 0, 0x2A43, 0x0 },
	{ 9803, 6, 0, 0x148, 0x0 },
	{ 9809, 6, 0, 0x146, 0x0 },
	{ 9815, 5, 0, 0x2247, 0x0 },
	{ 9820, 8, 0, 0x2A6D, 0x338 },
	{ 9828, 4, 0, 0x2A42, 0x0 },
	{ 9832, 3, 0, 0x43D, 0x0 },
	{ 9835, 5, 0, 0x2013, 0x0 },
	{ 9840, 2, 0, 0x2260, 0x0 },
	{ 9842, 5, 0, 0x21D7, 0x0 },
	{ 9847, 6, 0, 0x2924, 0x0 },
	{ 9853, 5, 0, 0x2197, 0x0 },
	{ 9858, 7, 0, 0x2197, 0x0 },
	{ 9865, 5, 0, 0x2250, 0x338 },
	{ 9870, 6, 0, 0x2262, 0x0 },
	{ 9876, 6, 0, 0x2928, 0x0 },
	{ 9882, 5, 0, 0x2242, 0x338 },
	{ 9887, 6, 0, 0x2204, 0x0 },
	{ 9893, 7, 0, 0x2204, 0x0 },
	{ 9900, 3, 0, 0x1D52B, 0x0 },
	{ 9903, 3, 0, 0x2267, 0x338 },
	{ 9906, 3, 0, 0x2271, 0x0 },
	{ 9909, 4, 0, 0x2271, 0x0 },
	{ 9913, 5, 0, 0x2267, 0x338 },
	{ 9918, 9, 0, 0x2A7E, 0x338 },
	{ 9927, 4, 0, 0x2A7E, 0x338 },
	{ 9931, 5, 0, 0x2275, 0x0 },
	{ 9936, 3, 0, 0x226F, 0x0 },
	{ 9939, 4, 0, 0x226F, 0x0 },
	{ 9943, 5, 0, 0x21CE, 0x0 },
	{ 9948, 5, 0, 0x21AE, 0x0 },
	{ 9953, 5, 0, 0x2AF2, 0x0 },
	{ 9958, 2, 0, 0x220B, 0x0 },
	{ 9960, 3, 0, 0x22FC, 0x0 },
	{ 9963, 4, 0, 0x22FA, 0x0 },
	{ 9967, 3, 0, 0x220B, 0x0 },
	{ 9970, 4, 0, 0x45A, 0x0 },
	{ 9974, 5, 0, 0x21CD, 0x0 },
	{ 9979, 3, 0, 0x2266, 0x338 },
	{ 9982, 5, 0, 0x219A, 0x0 },
	{ 9987, 4, 0, 0x2025, 0x0 },
	{ 9991, 3, 0, 0x2270, 0x0 },
	{ 9994, 10, 0, 0x219A, 0x0 },
	{ 10004, 15, 0, 0x21AE, 0x0 },
	{ 10019, 4, 0, 0x2270, 0x0 },
	{ 10023, 5, 0, 0x2266, 0x338 },
	{ 10028, 9, 0, 0x2A7D, 0x338 },
	{ 10037, 4, 0, 0x2A7D, 0x338 },
	{ 10041, 5, 0, 0x226E, 0x0 },
	{ 10046, 5, 0, 0x2274, 0x0 },
	{ 10051, 3, 0, 0x226E, 0x0 },
	{ 10054, 5, 0, 0x22EA, 0x0 },
	{ 10059, 6, 0, 0x22EC, 0x0 },
	{ 10065, 4, 0, 0x2224, 0x0 },
	{ 10069, 4, 0, 0x1D55F, 0x0 },
	{ 10073, 3, 1, 0xAC, 0x0 },
	{ 10076, 5, 0, 0x2209, 0x0 },
	{ 10081, 6, 0, 0x22F9, 0x338 },
	{ 10087, 8, 0, 0x22F5, 0x338 },
	{ 10095, 7, 0, 0x2209, 0x0 },
	{ 10102, 7, 0, 0x22F7, 0x0 },
	{ 10109, 7, 0, 0x22F6, 0x0 },
	{ 10116, 5, 0, 0x220C, 0x0 },
	{ 10121, 7, 0, 0x220C, 0x0 },
	{ 10128, 7, 0, 0x22FE, 0x0 },
	{ 10135, 7, 0, 0x22FD, 0x0 },
	{ 10142, 4, 0, 0x2226, 0x0 },
	{ 10146, 9, 0, 0x2226, 0x0 },
	{ 10155, 6, 0, 0x2AFD, 0x20E5 },
	{ 10161, 5, 0, 0x2202, 0x338 },
	{ 10166, 7, 0, 0x2A14, 0x0 },
	{ 10173, 3, 0, 0x2280, 0x0 },
	{ 10176, 6, 0, 0x22E0, 0x0 },
	{ 10182, 4, 0, 0x2AAF, 0x338 },
	{ 10186, 5, 0, 0x2280, 0x0 },
	{ 10191, 7, 0, 0x2AAF, 0x338 },
	{ 10198, 5, 0, 0x21CF, 0x0 },
	{ 10203, 5, 0, 0x219B, 0x0 },
	{ 10208, 6, 0, 0x2933, 0x338 },
	{ 10214, 6, 0, 0x219D, 0x338 },
	{ 10220, 11, 0, 0x219B, 0x0 },
	{ 10231, 5, 0, 0x22EB, 0x0 },
	{ 10236, 6, 0, 0x22ED, 0x0 },
	{ 10242, 3, 0, 0x2281, 0x0 },
	{ 10245, 6, 0, 0x22E1, 0x0 },
	{ 10251, 4, 0, 0x2AB0, 0x338 },
	{ 10255, 4, 0, 0x1D4C3, 0x0 },
	{ 10259, 9, 0, 0x2224, 0x0 },
	{ 10268, 14, 0, 0x2226, 0x0 },
	{ 10282, 4, 0, 0x2241, 0x0 },
	{ 10286, 5, 0, 0x2244, 0x0 },
	{ 10291, 6, 0, 0x2244, 0x0 },
	{ 10297, 5, 0, 0x2224, 0x0 },
	{ 10302, 5, 0, 0x2226, 0x0 },
	{ 10307, 7, 0, 0x22E2, 0x0 },
	{ 10314, 7, 0, 0x22E3, 0x0 },
	{ 10321, 4, 0, 0x2284, 0x0 },
	{ 10325, 5, 0, 0x2AC5, 0x338 },
	{ 10330, 5, 0, 0x2288, 0x0 },
	{ 10335, 7, 0, 0x2282, 0x20D2 },
	{ 10342, 9, 0, 0x2288, 0x0 },
	{ 10351, 10, 0, 0x2AC5, 0x338 },
	{ 10361, 5, 0, 0x2281, 0x0 },
	{ 10366, 7, 0, 0x2AB0, 0x338 },
	{ 10373, 4, 0, 0x2285, 0x0 },
	{ 10377, 5, 0, 0x2AC6, 0x338 },
	{ 10382, 5, 0, 0x2289, 0x0 },
	{ 10387, 7, 0, 0x2283, 0x20D2 },
	{ 10394, 9, 0, 0x2289, 0x0 },
	{ 10403, 10, 0, 0x2AC6, 0x338 },
	{ 10413, 4, 0, 0x2279, 0x0 },
	{ 10417, 6, 1, 0xF1, 0x0 },
	{ 10423, 4, 0, 0x2278, 0x0 },
	{ 10427, 13, 0, 0x22EA, 0x0 },
	{ 10440, 15, 0, 0x22EC, 0x0 },
	{ 10455, 14, 0, 0x22EB, 0x0 },
	{ 10469, 16, 0, 0x22ED, 0x0 },
	{ 10485, 2, 0, 0x3BD, 0x0 },
	{ 10487, 3, 0, 0x23, 0x0 },
	{ 10490, 6, 0, 0x2116, 0x0 },
	{ 10496, 5, 0, 0x2007, 0x0 },
	{ 10501, 6, 0, 0x22AD, 0x0 },
	{ 10507, 6, 0, 0x2904, 0x0 },
	{ 10513, 4, 0, 0x224D, 0x20D2 },
	{ 10517, 6, 0, 0x22AC, 0x0 },
	{ 10523, 4, 0, 0x2265, 0x20D2 },
	{ 10527, 4, 0, 0x3E, 0x20D2 },
	{ 10531, 7, 0, 0x29DE, 0x0 },
	{ 10538, 6, 0, 0x2902, 0x0 },
	{ 10544, 4, 0, 0x2264, 0x20D2 },
	{ 10548, 4, 0, 0x3C, 0x20D2 },
	{ 10552, 7, 0, 0x22B4, 0x20D2 },
	{ 10559, 6, 0, 0x2903, 0x0 },
	{ 10565, 7, 0, 0x22B5, 0x20D2 },
	{ 10572, 5, 0, 0x223C, 0x20D2 },
	{ 10577, 5, 0, 0x21D6, 0x0 },
	{ 10582, 6, 0, 0x2923, 0x0 },
	{ 10588, 5, 0, 0x2196, 0x0 },
	{ 10593, 7, 0, 0x2196, 0x0 },
	{ 10600, 6, 0, 0x2927, 0x0 },
	{ 10606, 2, 0, 0x24C8, 0x0 },
	{ 10608, 6, 1, 0xF3, 0x0 },
	{ 10614, 4, 0, 0x229B, 0x0 },
	{ 10618, 4, 0, 0x229A, 0x0 },
	{ 10622, 5, 1, 0xF4, 0x0 },
	{ 10627, 3, 0, 0x43E, 0x0 },
	{ 10630, 5, 0, 0x229D, 0x0 },
	{ 10635, 6, 0, 0x151, 0x0 },
	{ 10641, 4, 0, 0x2A38, 0x0 },
	{ 10645, 4, 0, 0x2299, 0x0 },
	{ 10649, 6, 0, 0x29BC, 0x0 },
	{ 10655, 5, 0, 0x153, 0x0 },
	{ 10660, 5, 0, 0x29BF, 0x0 },
	{ 10665, 3, 0, 0x1D52C, 0x0 },
	{ 10668, 4, 0, 0x2DB, 0x0 },
	{ 10672, 6, 1, 0xF2, 0x0 },
	{ 10678, 3, 0, 0x29C1, 0x0 },
	{ 10681, 5, 0, 0x29B5, 0x0 },
	{ 10686, 3, 0, 0x3A9, 0x0 },
	{ 10689, 4, 0, 0x222E, 0x0 },
	{ 10693, 5, 0, 0x21BA, 0x0 },
	{ 10698, 5, 0, 0x29BE, 0x0 },
	{ 10703, 7, 0, 0x29BB, 0x0 },
	{ 10710, 5, 0, 0x203E, 0x0 },
	{ 10715, 3, 0, 0x29C0, 0x0 },
	{ 10718, 5, 0, 0x14D, 0x0 },
	{ 10723, 5, 0, 0x3C9, 0x0 },
	{ 10728, 7, 0, 0x3BF, 0x0 },
	{ 10735, 4, 0, 0x29B6, 0x0 },
	{ 10739, 6, 0, 0x2296, 0x0 },
	{ 10745, 4, 0, 0x1D560, 0x0 },
	{ 10749, 4, 0, 0x29B7, 0x0 },
	{ 10753, 5, 0, 0x29B9, 0x0 },
	{ 10758, 5, 0, 0x2295, 0x0 },
	{ 10763, 2, 0, 0x2228, 0x0 },
	{ 10765, 5, 0, 0x21BB, 0x0 },
	{ 10770, 3, 0, 0x2A5D, 0x0 },
	{ 10773, 5, 0, 0x2134, 0x0 },
	{ 10778, 7, 0, 0x2134, 0x0 },
	{ 10785, 4, 1, 0xAA, 0x0 },
	{ 10789, 4, 1, 0xBA, 0x0 },
	{ 10793, 6, 0, 0x22B6, 0x0 },
	{ 10799, 4, 0, 0x2A56, 0x0 },
	{ 10803, 7, 0, 0x2A57, 0x0 },
	{ 10810, 3, 0, 0x2A5B, 0x0 },
	{ 10813, 4, 0, 0x2134, 0x0 },
	{ 10817, 6, 1, 0xF8, 0x0 },
	{ 10823, 4, 0, 0x2298, 0x0 },
	{ 10827, 6, 1, 0xF5, 0x0 },
	{ 10833, 6, 0, 0x2297, 0x0 },
	{ 10839, 8, 0, 0x2A36, 0x0 },
	{ 10847, 4, 1, 0xF6, 0x0 },
	{ 10851, 5, 0, 0x233D, 0x0 },
	{ 10856, 3, 0, 0x2225, 0x0 },
	{ 10859, 4, 1, 0xB6, 0x0 },
	{ 10863, 8, 0, 0x2225, 0x0 },
	{ 10871, 6, 0, 0x2AF3, 0x0 },
	{ 10877, 5, 0, 0x2AFD, 0x0 },
	{ 10882, 4, 0, 0x2202, 0x0 },
	{ 10886, 3, 0, 0x43F, 0x0 },
	{ 10889, 6, 0, 0x25, 0x0 },
	{ 10895, 6, 0, 0x2E, 0x0 },
	{ 10901, 6, 0, 0x2030, 0x0 },
	{ 10907, 4, 0, 0x22A5, 0x0 },
	{ 10911, 7, 0, 0x2031, 0x0 },
	{ 10918, 3, 0, 0x1D52D, 0x0 },
	{ 10921, 3, 0, 0x3C6, 0x0 },
	{ 10924, 4, 0, 0x3D5, 0x0 },
	{ 10928, 6, 0, 0x2133, 0x0 },
	{ 10934, 5, 0, 0x260E, 0x0 },
	{ 10939, 2, 0, 0x3C0, 0x0 },
	{ 10941, 9, 0, 0x22D4, 0x0 },
	{ 10950, 3, 0, 0x3D6, 0x0 },
	{ 10953, 6, 0, 0x210F, 0x0 },
	{ 10959, 7, 0, 0x210E, 0x0 },
	{ 10966, 6, 0, 0x210F, 0x0 },
	{ 10972, 4, 0, 0x2B, 0x0 },
	{ 10976, 8, 0, 0x2A23, 0x0 },
	{ 10984, 5, 0, 0x229E, 0x0 },
	{ 10989, 7, 0, 0x2A22, 0x0 },
	{ 10996, 6, 0, 0x2214, 0x0 },
	{ 11002, 6, 0, 0x2A25, 0x0 },
	{ 11008, 5, 0, 0x2A72, 0x0 },
	{ 11013, 6, 1, 0xB1, 0x0 },
	{ 11019, 7, 0, 0x2A26, 0x0 },
	{ 11026, 7, 0, 0x2A27, 0x0 },
	{ 11033, 2, 0, 0xB1, 0x0 },
	{ 11035, 8, 0, 0x2A15, 0x0 },
	{ 11043, 4, 0, 0x1D561, 0x0 },
	{ 11047, 5, 1, 0xA3, 0x0 },
	{ 11052, 2, 0, 0x227A, 0x0 },
	{ 11054, 3, 0, 0x2AB3, 0x0 },
	{ 11057, 4, 0, 0x2AB7, 0x0 },
	{ 11061, 5, 0, 0x227C, 0x0 },
	{ 11066, 3, 0, 0x2AAF, 0x0 },
	{ 11069, 4, 0, 0x227A, 0x0 },
	{ 11073, 10, 0, 0x2AB7, 0x0 },
	{ 11083, 11, 0, 0x227C, 0x0 },
	{ 11094, 6, 0, 0x2AAF, 0x0 },
	{ 11100, 11, 0, 0x2AB9, 0x0 },
	{ 11111, 8, 0, 0x2AB5, 0x0 },
	{ 11119, 8, 0, 0x22E8, 0x0 },
	{ 11127, 7, 0, 0x227E, 0x0 },
	{ 11134, 5, 0, 0x2032, 0x0 },
	{ 11139, 6, 0, 0x2119, 0x0 },
	{ 11145, 4, 0, 0x2AB5, 0x0 },
	{ 11149, 5, 0, 0x2AB9, 0x0 },
	{ 11154, 6, 0, 0x22E8, 0x0 },
	{ 11160, 4, 0, 0x220F, 0x0 },
	{ 11164, 8, 0, 0x232E, 0x0 },
	{ 11172, 8, 0, 0x2312, 0x0 },
	{ 11180, 8, 0, 0x2313, 0x0 },
	{ 11188, 4, 0, 0x221D, 0x0 },
	{ 11192, 6, 0, 0x221D, 0x0 },
	{ 11198, 5, 0, 0x227E, 0x0 },
	{ 11203, 6, 0, 0x22B0, 0x0 },
	{ 11209, 4, 0, 0x1D4C5, 0x0 },
	{ 11213, 3, 0, 0x3C8, 0x0 },
	{ 11216, 6, 0, 0x2008, 0x0 },
	{ 11222, 3, 0, 0x1D52E, 0x0 },
	{ 11225, 4, 0, 0x2A0C, 0x0 },
	{ 11229, 4, 0, 0x1D562, 0x0 },
	{ 11233, 6, 0, 0x2057, 0x0 },
	{ 11239, 4, 0, 0x1D4C6, 0x0 },
	{ 11243, 11, 0, 0x210D, 0x0 },
	{ 11254, 7, 0, 0x2A16, 0x0 },
	{ 11261, 5, 0, 0x3F, 0x0 },
	{ 11266, 7, 0, 0x225F, 0x0 },
	{ 11273, 4, 1, 0x22, 0x0 },
	{ 11277, 5, 0, 0x21DB, 0x0 },
	{ 11282, 4, 0, 0x21D2, 0x0 },
	{ 11286, 6, 0, 0x291C, 0x0 },
	{ 11292, 5, 0, 0x290F, 0x0 },
	{ 11297, 4, 0, 0x2964, 0x0 },
	{ 11301, 4, 0, 0x223D, 0x331 },
	{ 11305, 6, 0, 0x155, 0x0 },
	{ 11311, 5, 0, 0x221A, 0x0 },
	{ 11316, 8, 0, 0x29B3, 0x0 },
	{ 11324, 4, 0, 0x27E9, 0x0 },
	{ 11328, 5, 0, 0x2992, 0x0 },
	{ 11333, 5, 0, 0x29A5, 0x0 },
	{ 11338, 6, 0, 0x27E9, 0x0 },
	{ 11344, 5, 1, 0xBB, 0x0 },
	{ 11349, 4, 0, 0x2192, 0x0 },
	{ 11353, 6, 0, 0x2975, 0x0 },
	{ 11359, 5, 0, 0x21E5, 0x0 },
	{ 11364, 7, 0, 0x2920, 0x0 },
	{ 11371, 5, 0, 0x2933, 0x0 },
	{ 11376, 6, 0, 0x291E, 0x0 },
	{ 11382, 6, 0, 0x21AA, 0x0 },
	{ 11388, 6, 0, 0x21AC, 0x0 },
	{ 11394, 6, 0, 0x2945, 0x0 },
	{ 11400, 7, 0, 0x2974, 0x0 },
	{ 11407, 6, 0, 0x21A3, 0x0 },
	{ 11413, 5, 0, 0x219D, 0x0 },
	{ 11418, 6, 0, 0x291A, 0x0 },
	{ 11424, 5, 0, 0x2236, 0x0 },
	{ 11429, 9, 0, 0x211A, 0x0 },
	{ 11438, 5, 0, 0x290D, 0x0 },
	{ 11443, 5, 0, 0x2773, 0x0 },
	{ 11448, 6, 0, 0x7D, 0x0 },
	{ 11454, 6, 0, 0x5D, 0x0 },
	{ 11460, 5, 0, 0x298C, 0x0 },
	{ 11465, 7, 0, 0x298E, 0x0 },
	{ 11472, 7, 0, 0x2990, 0x0 },
	{ 11479, 6, 0, 0x159, 0x0 },
	{ 11485, 6, 0, 0x157, 0x0 },
	{ 11491, 5, 0, 0x2309, 0x0 },
	{ 11496, 4, 0, 0x7D, 0x0 },
	{ 11500, 3, 0, 0x440, 0x0 },
	{ 11503, 4, 0, 0x2937, 0x0 },
	{ 11507, 7, 0, 0x2969, 0x0 },
	{ 11514, 5, 0, 0x201D, 0x0 },
	{ 11519, 6, 0, 0x201D, 0x0 },
	{ 11525, 4, 0, 0x21B3, 0x0 },
	{ 11529, 4, 0, 0x211C, 0x0 },
	{ 11533, 7, 0, 0x211B, 0x0 },
	{ 11540, 8, 0, 0x211C, 0x0 },
	{ 11548, 5, 0, 0x211D, 0x0 },
	{ 11553, 4, 0, 0x25AD, 0x0 },
	{ 11557, 3, 1, 0xAE, 0x0 },
	{ 11560, 6, 0, 0x297D, 0x0 },
	{ 11566, 6, 0, 0x230B, 0x0 },
	{ 11572, 3, 0, 0x1D52F, 0x0 },
	{ 11575, 5, 0, 0x21C1, 0x0 },
	{ 11580, 5, 0, 0x21C0, 0x0 },
	{ 11585, 6, 0, 0x296C, 0x0 },
	{ 11591, 3, 0, 0x3C1, 0x0 },
	{ 11594, 4, 0, 0x3F1, 0x0 },
	{ 11598, 10, 0, 0x2192, 0x0 },
	{ 11608, 14, 0, 0x21A3, 0x0 },
	{ 11622, 16, 0, 0x21C1, 0x0 },
	{ 11638, 14, 0, 0x21C0, 0x0 },
	{ 11652, 15, 0, 0x21C4, 0x0 },
	{ 11667, 17, 0, 0x21CC, 0x0 },
	{ 11684, 16, 0, 0x21C9, 0x0 },
	{ 11700, 15, 0, 0x219D, 0x0 },
	{ 11715, 15, 0, 0x22CC, 0x0 },
	{ 11730, 4, 0, 0x2DA, 0x0 },
	{ 11734, 12, 0, 0x2253, 0x0 },
	{ 11746, 5, 0, 0x21C4, 0x0 },
	{ 11751, 5, 0, 0x21CC, 0x0 },
	{ 11756, 3, 0, 0x200F, 0x0 },
	{ 11759, 6, 0, 0x23B1, 0x0 },
	{ 11765, 10, 0, 0x23B1, 0x0 },
	{ 11775, 5, 0, 0x2AEE, 0x0 },
	{ 11780, 5, 0, 0x27ED, 0x0 },
	{ 11785, 5, 0, 0x21FE, 0x0 },
	{ 11790, 5, 0, 0x27E7, 0x0 },
	{ 11795, 5, 0, 0x2986, 0x0 },
	{ 11800, 4, 0, 0x1D563, 0x0 },
	{ 11804, 6, 0, 0x2A2E, 0x0 },
	{ 11810, 7, 0, 0x2A35, 0x0 },
	{ 11817, 4, 0, 0x29, 0x0 },
	{ 11821, 6, 0, 0x2994, 0x0 },
	{ 11827, 8, 0, 0x2A12, 0x0 },
	{ 11835, 5, 0, 0x21C9, 0x0 },
	{ 11840, 6, 0, 0x203A, 0x0 },
	{ 11846, 4, 0, 0x1D4C7, 0x0 },
	{ 11850, 3, 0, 0x21B1, 0x0 },
	{ 11853, 4, 0, 0x5D, 0x0 },
	{ 11857, 5, 0, 0x2019, 0x0 },
	{ 11862, 6, 0, 0x2019, 0x0 },
	{ 11868, 6, 0, 0x22CC, 0x0 },
	{ 11874, 6, 0, 0x22CA, 0x0 },
	{ 11880, 4, 0, 0x25B9, 0x0 },
	{ 11884, 5, 0, 0x22B5, 0x0 },
	{ 11889, 5, 0, 0x25B8, 0x0 },
	{ 11894, 8, 0, 0x29CE, 0x0 },
	{ 11902, 7, 0, 0x2968, 0x0 },
	{ 11909, 2, 0, 0x211E, 0x0 },
	{ 11911, 6, 0, 0x15B, 0x0 },
	{ 11917, 5, 0, 0x201A, 0x0 },
	{ 11922, 2, 0, 0x227B, 0x0 },
	{ 11924, 3, 0, 0x2AB4, 0x0 },
	{ 11927, 4, 0, 0x2AB8, 0x0 },
	{ 11931, 6, 0, 0x161, 0x0 },
	{ 11937, 5, 0, 0x227D, 0x0 },
	{ 11942, 3, 0, 0x2AB0, 0x0 },
	{ 11945, 6, 0, 0x15F, 0x0 },
	{ 11951, 5, 0, 0x15D, 0x0 },
	{ 11956, 4, 0, 0x2AB6, 0x0 },
	{ 11960, 5, 0, 0x2ABA, 0x0 },
	{ 11965, 6, 0, 0x22E9, 0x0 },
	{ 11971, 8, 0, 0x2A13, 0x0 },
	{ 11979, 5, 0, 0x227F, 0x0 },
	{ 11984, 3, 0, 0x441, 0x0 },
	{ 11987, 4, 0, 0x22C5, 0x0 },
	{ 11991, 5, 0, 0x22A1, 0x0 },
	{ 11996, 5, 0, 0x2A66, 0x0 },
	{ 12001, 5, 0, 0x21D8, 0x0 },
	{ 12006, 6, 0, 0x2925, 0x0 },
	{ 12012, 5, 0, 0x2198, 0x0 },
	{ 12017, 7, 0, 0x2198, 0x0 },
	{ 12024, 4, 1, 0xA7, 0x0 },
	{ 12028, 4, 0, 0x3B, 0x0 },
	{ 12032, 6, 0, 0x2929, 0x0 },
	{ 12038, 8, 0, 0x2216, 0x0 },
	{ 12046, 5, 0, 0x2216, 0x0 },
	{ 12051, 4, 0, 0x2736, 0x0 },
	{ 12055, 3, 0, 0x1D530, 0x0 },
	{ 12058, 6, 0, 0x2322, 0x0 },
	{ 12064, 5, 0, 0x266F, 0x0 },
	{ 12069, 6, 0, 0x449, 0x0 },
	{ 12075, 4, 0, 0x448, 0x0 },
	{ 12079, 8, 0, 0x2223, 0x0 },
	{ 12087, 13, 0, 0x2225, 0x0 },
	{ 12100, 3, 1, 0xAD, 0x0 },
	{ 12103, 5, 0, 0x3C3, 0x0 },
	{ 12108, 6, 0, 0x3C2, 0x0 },
	{ 12114, 6, 0, 0x3C2, 0x0 },
	{ 12120, 3, 0, 0x223C, 0x0 },
	{ 12123, 6, 0, 0x2A6A, 0x0 },
	{ 12129, 4, 0, 0x2243, 0x0 },
	{ 12133, 5, 0, 0x2243, 0x0 },
	{ 12138, 4, 0, 0x2A9E, 0x0 },
	{ 12142, 5, 0, 0x2AA0, 0x0 },
	{ 12147, 4, 0, 0x2A9D, 0x0 },
	{ 12151, 5, 0, 0x2A9F, 0x0 },
	{ 12156, 5, 0, 0x2246, 0x0 },
	{ 12161, 7, 0, 0x2A24, 0x0 },
	{ 12168, 7, 0, 0x2972, 0x0 },
	{ 12175, 5, 0, 0x2190, 0x0 },
	{ 12180, 13, 0, 0x2216, 0x0 },
	{ 12193, 6, 0, 0x2A33, 0x0 },
	{ 12199, 8, 0, 0x29E4, 0x0 },
	{ 12207, 4, 0, 0x2223, 0x0 },
	{ 12211, 5, 0, 0x2323, 0x0 },
	{ 12216, 3, 0, 0x2AAA, 0x0 },
	{ 12219, 4, 0, 0x2AAC, 0x0 },
	{ 12223, 5, 0, 0x2AAC, 0xFE00 },
	{ 12228, 6, 0, 0x44C, 0x0 },
	{ 12234, 3, 0, 0x2F, 0x0 },
	{ 12237, 4, 0, 0x29C4, 0x0 },
	{ 12241, 6, 0, 0x233F, 0x0 },
	{ 12247, 4, 0, 0x1D564, 0x0 },
	{ 12251, 6, 0, 0x2660, 0x0 },
	{ 12257, 9, 0, 0x2660, 0x0 },
	{ 12266, 4, 0, 0x2225, 0x0 },
	{ 12270, 5, 0, 0x2293, 0x0 },
	{ 12275, 6, 0, 0x2293, 0xFE00 },
	{ 12281, 5, 0, 0x2294, 0x0 },
	{ 12286, 6, 0, 0x2294, 0xFE00 },
	{ 12292, 5, 0, 0x228F, 0x0 },
	{ 12297, 6, 0, 0x2291, 0x0 },
	{ 12303, 8, 0, 0x228F, 0x0 },
	{ 12311, 10, 0, 0x2291, 0x0 },
	{ 12321, 5, 0, 0x2290, 0x0 },
	{ 12326, 6, 0, 0x2292, 0x0 },
	{ 12332, 8, 0, 0x2290, 0x0 },
	{ 12340, 10, 0, 0x2292, 0x0 },
	{ 12350, 3, 0, 0x25A1, 0x0 },
	{ 12353, 6, 0, 0x25A1, 0x0 },
	{ 12359, 6, 0, 0x25AA, 0x0 },
	{ 12365, 4, 0, 0x25AA, 0x0 },
	{ 12369, 5, 0, 0x2192, 0x0 },
	{ 12374, 4, 0, 0x1D4C8, 0x0 },
	{ 12378, 6, 0, 0x2216, 0x0 },
	{ 12384, 6, 0, 0x2323, 0x0 },
	{ 12390, 6, 0, 0x22C6, 0x0 },
	{ 12396, 4, 0, 0x2606, 0x0 },
	{ 12400, 5, 0, 0x2605, 0x0 },
	{ 12405, 15, 0, 0x3F5, 0x0 },
	{ 12420, 11, 0, 0x3D5, 0x0 },
	{ 12431, 5, 0, 0xAF, 0x0 },
	{ 12436, 3, 0, 0x2282, 0x0 },
	{ 12439, 4, 0, 0x2AC5, 0x0 },
	{ 12443, 6, 0, 0x2ABD, 0x0 },
	{ 12449, 4, 0, 0x2286, 0x0 },
	{ 12453, 7, 0, 0x2AC3, 0x0 },
	{ 12460, 7, 0, 0x2AC1, 0x0 },
	{ 12467, 5, 0, 0x2ACB, 0x0 },
	{ 12472, 5, 0, 0x228A, 0x0 },
	{ 12477, 7, 0, 0x2ABF, 0x0 },
	{ 12484, 7, 0, 0x2979, 0x0 },
	{ 12491, 6, 0, 0x2282, 0x0 },
	{ 12497, 8, 0, 0x2286, 0x0 },
	{ 12505, 9, 0, 0x2AC5, 0x0 },
	{ 12514, 9, 0, 0x228A, 0x0 },
	{ 12523, 10, 0, 0x2ACB, 0x0 },
	{ 12533, 6, 0, 0x2AC7, 0x0 },
	{ 12539, 6, 0, 0x2AD5, 0x0 },
	{ 12545, 6, 0, 0x2AD3, 0x0 },
	{ 12551, 4, 0, 0x227B, 0x0 },
	{ 12555, 10, 0, 0x2AB8, 0x0 },
	{ 12565, 11, 0, 0x227D, 0x0 },
	{ 12576, 6, 0, 0x2AB0, 0x0 },
	{ 12582, 11, 0, 0x2ABA, 0x0 },
	{ 12593, 8, 0, 0x2AB6, 0x0 },
	{ 12601, 8, 0, 0x22E9, 0x0 },
	{ 12609, 7, 0, 0x227F, 0x0 },
	{ 12616, 3, 0, 0x2211, 0x0 },
	{ 12619, 4, 0, 0x266A, 0x0 },
	{ 12623, 3, 0, 0x2283, 0x0 },
	{ 12626, 4, 1, 0xB9, 0x0 },
	{ 12630, 4, 1, 0xB2, 0x0 },
	{ 12634, 4, 1, 0xB3, 0x0 },
	{ 12638, 4, 0, 0x2AC6, 0x0 },
	{ 12642, 6, 0, 0x2ABE, 0x0 },
	{ 12648, 7, 0, 0x2AD8, 0x0 },
	{ 12655, 4, 0, 0x2287, 0x0 },
	{ 12659, 7, 0, 0x2AC4, 0x0 },
	{ 12666, 7, 0, 0x27C9, 0x0 },
	{ 12673, 7, 0, 0x2AD7, 0x0 },
	{ 12680, 7, 0, 0x297B, 0x0 },
	{ 12687, 7, 0, 0x2AC2, 0x0 },
	{ 12694, 5, 0, 0x2ACC, 0x0 },
	{ 12699, 5, 0, 0x228B, 0x0 },
	{ 12704, 7, 0, 0x2AC0, 0x0 },
	{ 12711, 6, 0, 0x2283, 0x0 },
	{ 12717, 8, 0, 0x2287, 0x0 },
	{ 12725, 9, 0, 0x2AC6, 0x0 },
	{ 12734, 9, 0, 0x228B, 0x0 },
	{ 12743, 10, 0, 0x2ACC, 0x0 },
	{ 12753, 6, 0, 0x2AC8, 0x0 },
	{ 12759, 6, 0, 0x2AD4, 0x0 },
	{ 12765, 6, 0, 0x2AD6, 0x0 },
	{ 12771, 5, 0, 0x21D9, 0x0 },
	{ 12776, 6, 0, 0x2926, 0x0 },
	{ 12782, 5, 0, 0x2199, 0x0 },
	{ 12787, 7, 0, 0x2199, 0x0 },
	{ 12794, 6, 0, 0x292A, 0x0 },
	{ 12800, 5, 1, 0xDF, 0x0 },
	{ 12805, 6, 0, 0x2316, 0x0 },
	{ 12811, 3, 0, 0x3C4, 0x0 },
	{ 12814, 4, 0, 0x23B4, 0x0 },
	{ 12818, 6, 0, 0x165, 0x0 },
	{ 12824, 6, 0, 0x163, 0x0 },
	{ 12830, 3, 0, 0x442, 0x0 },
	{ 12833, 4, 0, 0x20DB, 0x0 },
	{ 12837, 6, 0, 0x2315, 0x0 },
	{ 12843, 3, 0, 0x1D531, 0x0 },
	{ 12846, 6, 0, 0x2234, 0x0 },
	{ 12852, 9, 0, 0x2234, 0x0 },
	{ 12861, 5, 0, 0x3B8, 0x0 },
	{ 12866, 8, 0, 0x3D1, 0x0 },
	{ 12874, 6, 0, 0x3D1, 0x0 },
	{ 12880, 11, 0, 0x2248, 0x0 },
	{ 12891, 8, 0, 0x223C, 0x0 },
	{ 12899, 6, 0, 0x2009, 0x0 },
	{ 12905, 5, 0, 0x2248, 0x0 },
	{ 12910, 6, 0, 0x223C, 0x0 },
	{ 12916, 5, 1, 0xFE, 0x0 },
	{ 12921, 5, 0, 0x2DC, 0x0 },
	{ 12926, 5, 1, 0xD7, 0x0 },
	{ 12931, 6, 0, 0x22A0, 0x0 },
	{ 12937, 8, 0, 0x2A31, 0x0 },
	{ 12945, 6, 0, 0x2A30, 0x0 },
	{ 12951, 4, 0, 0x222D, 0x0 },
	{ 12955, 4, 0, 0x2928, 0x0 },
	{ 12959, 3, 0, 0x22A4, 0x0 },
	{ 12962, 6, 0, 0x2336, 0x0 },
	{ 12968, 6, 0, 0x2AF1, 0x0 },
	{ 12974, 4, 0, 0x1D565, 0x0 },
	{ 12978, 7, 0, 0x2ADA, 0x0 },
	{ 12985, 4, 0, 0x2929, 0x0 },
	{ 12989, 6, 0, 0x2034, 0x0 },
	{ 12995, 5, 0, 0x2122, 0x0 },
	{ 13000, 8, 0, 0x25B5, 0x0 },
	{ 13008, 12, 0, 0x25BF, 0x0 },
	{ 13020, 12, 0, 0x25C3, 0x0 },
	{ 13032, 14, 0, 0x22B4, 0x0 },
	{ 13046, 9, 0, 0x225C, 0x0 },
	{ 13055, 13, 0, 0x25B9, 0x0 },
	{ 13068, 15, 0, 0x22B5, 0x0 },
	{ 13083, 6, 0, 0x25EC, 0x0 },
	{ 13089, 4, 0, 0x225C, 0x0 },
	{ 13093, 8, 0, 0x2A3A, 0x0 },
	{ 13101, 7, 0, 0x2A39, 0x0 },
	{ 13108, 5, 0, 0x29CD, 0x0 },
	{ 13113, 7, 0, 0x2A3B, 0x0 },
	{ 13120, 8, 0, 0x23E2, 0x0 },
	{ 13128, 4, 0, 0x1D4C9, 0x0 },
	{ 13132, 4, 0, 0x446, 0x0 },
	{ 13136, 5, 0, 0x45B, 0x0 },
	{ 13141, 6, 0, 0x167, 0x0 },
	{ 13147, 5, 0, 0x226C, 0x0 },
	{ 13152, 16, 0, 0x219E, 0x0 },
	{ 13168, 17, 0, 0x21A0, 0x0 },
	{ 13185, 4, 0, 0x21D1, 0x0 },
	{ 13189, 4, 0, 0x2963, 0x0 },
	{ 13193, 6, 1, 0xFA, 0x0 },
	{ 13199, 4, 0, 0x2191, 0x0 },
	{ 13203, 5, 0, 0x45E, 0x0 },
	{ 13208, 6, 0, 0x16D, 0x0 },
	{ 13214, 5, 1, 0xFB, 0x0 },
	{ 13219, 3, 0, 0x443, 0x0 },
	{ 13222, 5, 0, 0x21C5, 0x0 },
	{ 13227, 6, 0, 0x171, 0x0 },
	{ 13233, 5, 0, 0x296E, 0x0 },
	{ 13238, 6, 0, 0x297E, 0x0 },
	{ 13244, 3, 0, 0x1D532, 0x0 },
	{ 13247, 6, 1, 0xF9, 0x0 },
	{ 13253, 5, 0, 0x21BF, 0x0 },
	{ 13258, 5, 0, 0x21BE, 0x0 },
	{ 13263, 5, 0, 0x2580, 0x0 },
	{ 13268, 6, 0, 0x231C, 0x0 },
	{ 13274, 8, 0, 0x231C, 0x0 },
	{ 13282, 6, 0, 0x230F, 0x0 },
	{ 13288, 5, 0, 0x25F8, 0x0 },
	{ 13293, 5, 0, 0x16B, 0x0 },
	{ 13298, 3, 1, 0xA8, 0x0 },
	{ 13301, 5, 0, 0x173, 0x0 },
	{ 13306, 4, 0, 0x1D566, 0x0 },
	{ 13310, 7, 0, 0x2191, 0x0 },
	{ 13317, 11, 0, 0x2195, 0x0 },
	{ 13328, 13, 0, 0x21BF, 0x0 },
	{ 13341, 14, 0, 0x21BE, 0x0 },
	{ 13355, 5, 0, 0x228E, 0x0 },
	{ 13360, 4, 0, 0x3C5, 0x0 },
	{ 13364, 5, 0, 0x3D2, 0x0 },
	{ 13369, 7, 0, 0x3C5, 0x0 },
	{ 13376, 10, 0, 0x21C8, 0x0 },
	{ 13386, 6, 0, 0x231D, 0x0 },
	{ 13392, 8, 0, 0x231D, 0x0 },
	{ 13400, 6, 0, 0x230E, 0x0 },
	{ 13406, 5, 0, 0x16F, 0x0 },
	{ 13411, 5, 0, 0x25F9, 0x0 },
	{ 13416, 4, 0, 0x1D4CA, 0x0 },
	{ 13420, 5, 0, 0x22F0, 0x0 },
	{ 13425, 6, 0, 0x169, 0x0 },
	{ 13431, 4, 0, 0x25B5, 0x0 },
	{ 13435, 5, 0, 0x25B4, 0x0 },
	{ 13440, 5, 0, 0x21C8, 0x0 },
	{ 13445, 4, 1, 0xFC, 0x0 },
	{ 13449, 7, 0, 0x29A7, 0x0 },
	{ 13456, 4, 0, 0x21D5, 0x0 },
	{ 13460, 4, 0, 0x2AE8, 0x0 },
	{ 13464, 5, 0, 0x2AE9, 0x0 },
	{ 13469, 5, 0, 0x22A8, 0x0 },
	{ 13474, 6, 0, 0x299C, 0x0 },
	{ 13480, 10, 0, 0x3F5, 0x0 },
	{ 13490, 8, 0, 0x3F0, 0x0 },
	{ 13498, 10, 0, 0x2205, 0x0 },
	{ 13508, 6, 0, 0x3D5, 0x0 },
	{ 13514, 5, 0, 0x3D6, 0x0 },
	{ 13519, 9, 0, 0x221D, 0x0 },
	{ 13528, 4, 0, 0x2195, 0x0 },
	{ 13532, 6, 0, 0x3F1, 0x0 },
	{ 13538, 8, 0, 0x3C2, 0x0 },
	{ 13546, 12, 0, 0x228A, 0xFE00 },
	{ 13558, 13, 0, 0x2ACB, 0xFE00 },
	{ 13571, 12, 0, 0x228B, 0xFE00 },
	{ 13583, 13, 0, 0x2ACC, 0xFE00 },
	{ 13596, 8, 0, 0x3D1, 0x0 },
	{ 13604, 15, 0, 0x22B2, 0x0 },
	{ 13619, 16, 0, 0x22B3, 0x0 },
	{ 13635, 3, 0, 0x432, 0x0 },
	{ 13638, 5, 0, 0x22A2, 0x0 },
	{ 13643, 3, 0, 0x2228, 0x0 },
	{ 13646, 6, 0, 0x22BB, 0x0 },
	{ 13652, 5, 0, 0x225A, 0x0 },
	{ 13657, 6, 0, 0x22EE, 0x0 },
	{ 13663, 6, 0, 0x7C, 0x0 },
	{ 13669, 4, 0, 0x7C, 0x0 },
	{ 13673, 3, 0, 0x1D533, 0x0 },
	{ 13676, 5, 0, 0x22B2, 0x0 },
	{ 13681, 5, 0, 0x2282, 0x20D2 },
	{ 13686, 5, 0, 0x2283, 0x20D2 },
	{ 13691, 4, 0, 0x1D567, 0x0 },
	{ 13695, 5, 0, 0x221D, 0x0 },
	{ 13700, 5, 0, 0x22B3, 0x0 },
	{ 13705, 4, 0, 0x1D4CB, 0x0 },
	{ 13709, 6, 0, 0x2ACB, 0xFE00 },
	{ 13715, 6, 0, 0x228A, 0xFE00 },
	{ 13721, 6, 0, 0x2ACC, 0xFE00 },
	{ 13727, 6, 0, 0x228B, 0xFE00 },
	{ 13733, 7, 0, 0x299A, 0x0 },
	{ 13740, 5, 0, 0x175, 0x0 },
	{ 13745, 6, 0, 0x2A5F, 0x0 },
	{ 13751, 5, 0, 0x2227, 0x0 },
	{ 13756, 6, 0, 0x2259, 0x0 },
	{ 13762, 6, 0, 0x2118, 0x0 },
	{ 13768, 3, 0, 0x1D534, 0x0 },
	{ 13771, 4, 0, 0x1D568, 0x0 },
	{ 13775, 2, 0, 0x2118, 0x0 },
	{ 13777, 2, 0, 0x2240, 0x0 },
	{ 13779, 6, 0, 0x2240, 0x0 },
	{ 13785, 4, 0, 0x1D4CC, 0x0 },
	{ 13789, 4, 0, 0x22C2, 0x0 },
	{ 13793, 5, 0, 0x25EF, 0x0 },
	{ 13798, 4, 0, 0x22C3, 0x0 },
	{ 13802, 5, 0, 0x25BD, 0x0 },
	{ 13807, 3, 0, 0x1D535, 0x0 },
	{ 13810, 5, 0, 0x27FA, 0x0 },
	{ 13815, 5, 0, 0x27F7, 0x0 },
	{ 13820, 2, 0, 0x3BE, 0x0 },
	{ 13822, 5, 0, 0x27F8, 0x0 },
	{ 13827, 5, 0, 0x27F5, 0x0 },
	{ 13832, 4, 0, 0x27FC, 0x0 },
	{ 13836, 4, 0, 0x22FB, 0x0 },
	{ 13840, 5, 0, 0x2A00, 0x0 },
	{ 13845, 4, 0, 0x1D569, 0x0 },
	{ 13849, 6, 0, 0x2A01, 0x0 },
	{ 13855, 6, 0, 0x2A02, 0x0 },
	{ 13861, 5, 0, 0x27F9, 0x0 },
	{ 13866, 5, 0, 0x27F6, 0x0 },
	{ 13871, 4, 0, 0x1D4CD, 0x0 },
	{ 13875, 6, 0, 0x2A06, 0x0 },
	{ 13881, 6, 0, 0x2A04, 0x0 },
	{ 13887, 5, 0, 0x25B3, 0x0 },
	{ 13892, 4, 0, 0x22C1, 0x0 },
	{ 13896, 6, 0, 0x22C0, 0x0 },
	{ 13902, 6, 1, 0xFD, 0x0 },
	{ 13908, 4, 0, 0x44F, 0x0 },
	{ 13912, 5, 0, 0x177, 0x0 },
	{ 13917, 3, 0, 0x44B, 0x0 },
	{ 13920, 3, 1, 0xA5, 0x0 },
	{ 13923, 3, 0, 0x1D536, 0x0 },
	{ 13926, 4, 0, 0x457, 0x0 },
	{ 13930, 4, 0, 0x1D56A, 0x0 },
	{ 13934, 4, 0, 0x1D4CE, 0x0 },
	{ 13938, 4, 0, 0x44E, 0x0 },
	{ 13942, 4, 1, 0xFF, 0x0 },
	{ 13946, 6, 0, 0x17A, 0x0 },
	{ 13952, 6, 0, 0x17E, 0x0 },
	{ 13958, 3, 0, 0x437, 0x0 },
	{ 13961, 4, 0, 0x17C, 0x0 },
	{ 13965, 6, 0, 0x2128, 0x0 },
	{ 13971, 4, 0, 0x3B6, 0x0 },
	{ 13975, 3, 0, 0x1D537, 0x0 },
	{ 13978, 4, 0, 0x436, 0x0 },
	{ 13982, 7, 0, 0x21DD, 0x0 },
	{ 13989, 4, 0, 0x1D56B, 0x0 },
	{ 13993, 4, 0, 0x1D4CF, 0x0 },
	{ 13997, 3, 0, 0x200D, 0x0 },
	{ 14000, 4, 0, 0x200C, 0x0 },
};

#endif
